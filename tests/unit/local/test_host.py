"""Where the embedded Kubernetes cannot run, and what a person is told."""

import os
import sys

import pytest

from local.cluster.start import require_host
from local.failure import LocalError
from local.machines import packages


def test_without_root_the_error_names_the_existing_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(LocalError, match=r"root.*`existing` target"):
        require_host()


def test_on_another_system_the_error_names_it_and_the_existing_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(LocalError, match=r"Linux, this is darwin.*`existing` target"):
        require_host()


def test_each_missing_package_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        packages, "PROGRAMS", {"no-such-a": "alpha", "no-such-b": "alpha", "sh": "dash", "/no/c": "beta"}
    )
    assert packages.missing_packages() == ["alpha", "beta"]
