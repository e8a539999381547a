"""`rakazo-infra leftovers` with Hetzner's library against a stand-in of Hetzner's API."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from components.targets.hetzner.names import labels
from operations.command_line import app
from operations.hetzner_project import ENDPOINT
from operations.leftovers import VARIABLE
from tests.providers.hcloud import Project
from tests.providers.hcloud.http_api import KINDS, hetzner_api

TOKEN, OTHER = "t" * 64, "o" * 64


@pytest.fixture
def project() -> Project:
    return Project()


@pytest.fixture
def token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The token as a stand-in of the Pulumi CLI gives it; without the file the stack has none."""
    program, file = tmp_path / "pulumi", tmp_path / "token"
    said = '*"--show-name"*) echo team ;; *"config get rakazo:hcloud_token"*) cat "$(dirname "$0")/token" ;;'
    program.write_text(f'#!/bin/sh\ncase "$*" in {said} *) exit 9 ;; esac\n')
    program.chmod(0o755)
    file.write_text(TOKEN + "\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv(VARIABLE, raising=False)
    return file


@pytest.fixture(autouse=True)
def api(project: Project, token: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with hetzner_api(project, TOKEN) as endpoint:
        monkeypatch.setenv(ENDPOINT, endpoint)
        yield


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["leftovers", *arguments])


def remains(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(asked("--json", *arguments).stdout)["remains"]
    return found


def test_nothing_is_exit_code_0_and_what_to_type_then(project: Project) -> None:
    project.add("server", {"name": "other", "labels": labels("other")})
    project.add("volume", {"name": "bare"})
    done = asked()
    assert done.exit_code == 0, done.output
    assert "nothing at Hetzner carries the labels of team" in done.output
    assert "next: pulumi stack rm team" in done.output


@pytest.mark.parametrize("kind", sorted(KINDS.values()))
def test_whatever_carries_the_labels_is_found(project: Project, kind: str) -> None:
    """B036: also what the stack never made itself; the next bill shows it, or the next stack's name is taken."""
    identifier = project.add(kind, {"name": f"rakazo-team-{kind}", "labels": labels("team")})
    done = asked()
    assert done.exit_code == 1, done.output
    assert kind in done.output
    assert identifier in done.output
    assert "unknown" in done.output, "no price is invented"
    assert "next: pulumi destroy --stack team" in done.output
    (found,) = remains()
    assert (found["kind"], found["name"], found["id"]) == (kind, f"rakazo-team-{kind}", int(identifier))
    assert found["created"] == "2026-11-30 08:00"


def test_what_is_protected_is_told_with_the_line_to_change(project: Project) -> None:
    """B036."""
    project.add("server", {"name": "kept", "labels": labels("team"), "deleteProtection": True})
    done = asked()
    assert "protect: false" in done.output
    assert remains()[0]["protected"] is True


def test_a_snapshot_without_a_name_is_told_by_what_it_is_described_as(project: Project) -> None:
    project.add("image", {"description": "before the upgrade", "labels": labels("team")})
    assert remains()[0]["name"] == "before the upgrade"


def test_more_than_one_page_is_read_to_the_end(project: Project) -> None:
    for number in range(120):
        project.add("volume", {"name": f"volume-{number}", "labels": labels("team")})
    assert len(remains()) == 120


def test_another_stack_may_be_named_as_pulumi_names_it(project: Project) -> None:
    project.add("server", {"name": "theirs", "labels": labels("other")})
    assert [each["name"] for each in remains("--stack", "organization/rakazo/other")] == ["theirs"]


def test_the_stacks_own_token_comes_before_the_shells(monkeypatch: pytest.MonkeyPatch) -> None:
    """In another project nothing of the stack is found, and that would look like success."""
    monkeypatch.setenv(VARIABLE, OTHER)
    assert asked().exit_code == 0


def test_a_stack_that_is_removed_is_asked_for_with_the_shells_token(
    token: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token.unlink()
    done = asked()
    assert done.exit_code == 2
    assert f"set {VARIABLE} to a token of its project" in done.output
    monkeypatch.setenv(VARIABLE, TOKEN)
    assert asked("--stack", "team").exit_code == 0


def test_a_wrong_token_is_hetzners_own_refusal_and_not_nothing(token: Path) -> None:
    token.write_text(OTHER)
    done = asked()
    assert done.exit_code == 2
    assert "Hetzner refused: unable to authenticate (unauthorized)" in done.output
    assert OTHER not in done.output


def test_a_hetzner_that_does_not_answer_is_not_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:1/v1")
    done = asked()
    assert done.exit_code == 2
    assert "Hetzner does not answer" in done.output
