"""Programs that a target needs and that are not Python packages."""

import pytest

from stacks import programs


def test_a_missing_program_is_one_error_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a cluster is there, and costs, that this program cannot enter."""
    monkeypatch.setattr(programs, "which", lambda _: None)
    (fault,) = programs.program_faults("eks")
    assert "entered with the program aws of the AWS CLI, version 2" in fault
    assert programs.program_faults("server") == []


def test_a_program_that_is_there_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "which", lambda program: f"/usr/bin/{program}")
    assert programs.program_faults("eks") == []
