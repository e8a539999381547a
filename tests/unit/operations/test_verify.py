"""What `rakazo-infra verify` refuses before it touches a cluster, and what its exit codes mean."""

import io
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from rich.console import Console
from typer.testing import CliRunner

from operations import verification, verify
from operations.command_line import app
from operations.stack_facts import facts_of
from probes.facts import Facts
from probes.operator_rights import RULES
from tests.unit.probes.example import facts

RUNNER = CliRunner()


@pytest.fixture
def pulumi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in of the Pulumi CLI: it prints a file, or fails as the real one does without a stack."""
    program = tmp_path / "pulumi"
    program.write_text(f"#!/bin/sh\necho \"error: no stack named 'x' found\" >&2\ncat {tmp_path}/outputs.json\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path / "outputs.json"


def test_a_report_of_an_unknown_kind_is_wrong_usage() -> None:
    done = RUNNER.invoke(app, ["verify", "--report", "isolation.pdf"])
    assert done.exit_code == 2
    assert "neither .html nor .md" in done.output


def test_without_the_pulumi_cli_it_could_not_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = RUNNER.invoke(app, ["verify"])
    assert done.exit_code == 2
    assert "the Pulumi CLI is not on PATH" in done.output


def test_a_stack_that_is_not_there_is_told_with_the_clis_own_words(pulumi: Path) -> None:
    done = RUNNER.invoke(app, ["verify", "--stack", "x"])
    assert done.exit_code == 2
    assert "no stack named 'x' found" in done.output


def test_a_stack_that_is_not_up_is_told_with_the_command_to_type(pulumi: Path) -> None:
    pulumi.write_text("{}")
    done = RUNNER.invoke(app, ["verify"])
    assert done.exit_code == 2
    assert "Bring it up with: pulumi up" in done.output


def test_the_facts_of_another_release_are_refused_by_their_keys(pulumi: Path) -> None:
    older = {key: getattr(facts(), key) for key in Facts.model_fields if key != "runtime_class"}
    pulumi.write_text(json.dumps({"facts": Facts.model_construct(**older).pack()}))
    done = RUNNER.invoke(app, ["verify"])
    assert done.exit_code == 2
    assert "another release's (runtime_class)" in done.output


@pytest.mark.parametrize("text", ["", "{}", "bm90IHBhY2tlZA=="])
def test_an_output_that_is_no_facts_is_refused(pulumi: Path, text: str) -> None:
    pulumi.write_text(json.dumps({"facts": text}))
    done = RUNNER.invoke(app, ["verify"])
    assert done.exit_code == 2
    assert "run `pulumi up` with this release" in done.output.replace("\n", " ")


def test_the_facts_come_back_as_the_gate_knew_them(pulumi: Path) -> None:
    pulumi.write_text(json.dumps({"facts": facts().pack()}))
    assert facts_of(None) == facts()


def test_a_kubeconfig_that_is_not_there_is_told_by_its_path(pulumi: Path, tmp_path: Path) -> None:
    pulumi.write_text(json.dumps({"facts": facts().pack()}))
    done = RUNNER.invoke(app, ["verify", "--kubeconfig", str(tmp_path / "missing")])
    assert done.exit_code == 2
    assert f"kubeconfig {tmp_path / 'missing'} does not exist" in done.output.replace("\n", "")


def test_a_cluster_that_the_stack_made_is_reached_through_its_own_kubeconfig(
    pulumi: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in prints the same for every question, so the document it is taken for has no context at all."""
    monkeypatch.delenv("KUBECONFIG", raising=False)
    pulumi.write_text(json.dumps({"facts": facts().pack(), "kubeconfig": "[secret]"}, indent=1))
    done = RUNNER.invoke(app, ["verify"])
    assert done.exit_code == 2
    assert "the kubeconfig has no usable context" in done.output
    assert ".kube/config" not in done.output


def test_every_claim_is_listed_without_a_cluster(pulumi: Path) -> None:
    pulumi.write_text(json.dumps({"facts": facts().pack()}))
    done = RUNNER.invoke(app, ["verify", "--list"])
    assert done.exit_code == 0, done.output
    for key in ("out-metadata-link-local", "in-strangers", "birth-window"):
        assert key in done.output


@pytest.mark.parametrize("terminal", [True, False])
def test_a_line_of_progress_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch, terminal: object) -> None:
    """Addresses of IPv6 have brackets, and an error may hold what looks like the end of a style."""
    line = "out-public-web: failed: web ([fd00::1]:80): [/x] and [bold]"
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=bool(terminal), width=200)

    def run(_facts: object, _kubeconfig: object, _only: object, _stack: object, tell: Callable[[str], None]) -> str:
        tell(line)
        time.sleep(0.3 if terminal else 0.0)  # the terminal's picture is drawn a few times a second
        return "found"

    monkeypatch.setattr(verification, "run_in_cluster", run)
    found: object = verify._run(facts(), None, [], None, console)
    assert found == "found"
    assert line in shown.getvalue()


def test_the_rights_are_printed_as_a_cluster_role() -> None:
    done = RUNNER.invoke(app, ["verify", "--rights"])
    role = yaml.safe_load(done.output)
    assert role["kind"] == "ClusterRole"
    assert len(role["rules"]) == len(RULES)
    verbs = {verb for rule in role["rules"] for verb in rule["verbs"]}
    assert "*" not in verbs
    assert "impersonate" not in verbs
