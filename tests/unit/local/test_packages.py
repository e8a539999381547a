"""Debian packages: what is missing, and the file that keeps their services from starting meanwhile."""

import os
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from local.failure import LocalError
from local.machines import packages
from local.machines.packages import REFUSE_STARTING, remove_forgotten, services_not_started


def test_each_missing_package_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        packages, "PROGRAMS", {"no-such-a": "alpha", "no-such-b": "alpha", "sh": "dash", "/no/c": "beta"}
    )
    assert packages.missing_packages() == ["alpha", "beta"]


def test_what_somebody_needs_beside_the_usual_is_looked_for_on_their_call_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packages, "PROGRAMS", {"sh": "dash"})
    assert packages.missing_packages({"no-such-a": "alpha"}) == ["alpha"]
    assert packages.missing_packages() == []


def test_services_are_refused_while_packages_are_installed_and_no_longer(tmp_path: Path) -> None:
    policy = tmp_path / "policy-rc.d"
    with services_not_started(policy):
        assert policy.read_text() == REFUSE_STARTING
        assert os.access(policy, os.X_OK)
    assert not policy.exists()


def test_the_policy_of_a_killed_run_is_taken_over_and_removed(tmp_path: Path) -> None:
    policy = tmp_path / "policy-rc.d"
    policy.write_text(REFUSE_STARTING)
    with services_not_started(policy):
        assert os.access(policy, os.X_OK)
    assert not policy.exists()


def test_the_policy_of_a_killed_run_is_removed_when_nothing_is_missing_any_more(tmp_path: Path) -> None:
    policy = tmp_path / "policy-rc.d"
    policy.write_text(REFUSE_STARTING)
    remove_forgotten(policy)
    assert not policy.exists()
    remove_forgotten(policy)


def test_the_policy_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    policy = tmp_path / "policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    with services_not_started(policy):
        pass
    remove_forgotten(policy)
    assert policy.read_text() == "#!/bin/sh\nexit 101\n"


def test_a_place_that_cannot_be_written_is_named_with_the_command_to_run(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match=r"policy-rc\.d .*cannot be written.*apt-get install"):
        services_not_started(tmp_path / "missing" / "policy-rc.d").__enter__()


def test_missing_packages_without_root_are_an_error_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "PROGRAMS", {"no-such-a": "alpha"})
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("shutil.which", lambda name, path=None: "apt-get" if name == "apt-get" else None)
    with pytest.raises(LocalError, match=r"alpha are missing.*sudo apt-get install alpha.*`existing` target"):
        packages.ensure(Console(file=StringIO()))
