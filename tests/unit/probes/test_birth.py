"""What is read from a new computer's log, and what of it is a fault."""

import pytest

from probes import birth
from probes.birth import Window

CLOSED = Window(opened=0, last=0.0)


@pytest.mark.parametrize(
    ("log", "window"),
    [
        ("", None),
        ("starting\nbirth", None),
        ('birth {"opened": 0, "last": 0.0}\n', CLOSED),
        ('starting\nbirth {"opened": 3, "last": 0.9}\n', Window(opened=3, last=0.9)),
    ],
    ids=["nothing yet", "not finished", "closed", "open for a while"],
)
def test_a_window_is_read_once_it_has_been_counted(log: str, window: Window | None) -> None:
    assert birth.window(log) == window


@pytest.mark.parametrize("windows", [[CLOSED], [CLOSED] * 10])
def test_closed_windows_are_no_fault(windows: list[Window]) -> None:
    assert birth.fault(windows) is None


def test_one_open_window_among_many_is_a_fault_with_its_figures() -> None:
    """B066: the message says how many, how often and for how long."""
    said = birth.fault([CLOSED, Window(opened=3, last=0.5), Window(opened=4, last=1.25)])
    assert said is not None
    assert "2 of 3 new computers" in said
    assert "7 connections, the last 1.25 s" in said
    assert "mutating admission policy" in said


def test_no_window_at_all_is_refused() -> None:
    """Nobody was measured: that is no proof."""
    with pytest.raises(ValueError, match="no new computer was measured"):
        birth.fault([])
