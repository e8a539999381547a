"""Packages that one target needs and others do not."""

import pytest

from stacks import extras


def test_what_is_installed_is_no_fault() -> None:
    assert [extras.extra_faults(target) for target in extras.EXTRAS] == [[] for _ in extras.EXTRAS]


def test_a_missing_package_is_one_error_with_the_command_that_adds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    assert extras.extra_faults("server") == [
        "rakazo:settings.target.kind is server, which needs pulumi_command and asyncssh; write: uv sync --extra server"
    ]
    assert extras.extra_faults("existing") == []
