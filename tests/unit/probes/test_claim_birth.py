"""What a measurement of new computers means for the claim."""

import pytest

from probes.birth import Birth, Window
from probes.claims.birth import of_target, of_wait
from probes.reach import Destination

KUBELET = Destination(name="kubelet", address="192.0.2.1", port=10250)
CLOSED = Window(attempts=40, opened=0, last=0.0)
OPEN = Window(attempts=40, opened=3, last=0.5)


def born(window: Window, waited: float | None = 1.0) -> Birth:
    return Birth(windows=(window,), waited=waited, started=3.0)


@pytest.mark.parametrize(
    ("window", "control", "holds"),
    [(CLOSED, OPEN, True), (OPEN, OPEN, False), (OPEN, CLOSED, False), (CLOSED, CLOSED, None)],
    ids=["closed", "open", "open although the control is not", "closed to the control as well"],
)
def test_closed_counts_only_where_a_pod_without_policies_connects(
    window: Window, control: Window, holds: bool | None
) -> None:
    """B066: a listener that nobody reaches would make every window look closed."""
    evidence = of_target(KUBELET, [born(CLOSED), born(window)], (control,), 0)
    assert evidence.holds is holds
    assert evidence.subject == "2 new computers → kubelet (192.0.2.1:10250)"


@pytest.mark.parametrize(
    ("waits", "expected", "proven", "holds", "seen"),
    [
        ([0.9, 1.1, 2.5], True, True, True, "3 of 3 waited: median 1.1 s, maximum 2.5 s"),
        ([0.9, 1.1], True, False, None, "2 of 2 waited: median 1.0 s, maximum 1.1 s"),
        ([0.9, None], True, True, False, "1 of 2 waited: median 0.9 s, maximum 0.9 s"),
        ([None, None], True, True, False, "none was held back"),
        ([None, None], False, True, None, "this Kubernetes cannot"),
    ],
    ids=["all", "all, and nothing proven by it", "one forgotten", "all forgotten", "an older Kubernetes"],
)
def test_a_computer_that_nothing_held_back_is_a_hole_where_something_must(
    waits: list[float | None], expected: bool, proven: bool, holds: bool | None, seen: str
) -> None:
    evidence = of_wait([born(CLOSED, each) for each in waits], expected=expected, proven=proven)
    assert evidence.holds is holds
    assert seen in evidence.seen
