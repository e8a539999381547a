"""The sentence on top never says more than what was found."""

import pytest

from operations.report.verdict import by_group, totals, verdict
from probes.claim import Result, State
from tests.unit.operations.report.example import claim, evidence, example, looked, proven

HELD = looked("out-a", "A.", evidence("a", "silent"))
BROKEN = looked("out-b", "B.", evidence("b", "open", False))
UNKNOWN = looked("out-c", "C.", evidence("c", "nobody there", None))
ERROR = looked("out-d", "D.", error="PodError: gone")


@pytest.mark.parametrize(
    ("results", "state", "sentence", "detail"),
    [
        ((HELD,), State.PROVEN, "The one claim is proven", ""),
        ((HELD, HELD), State.PROVEN, "All 2 claims are proven", ""),
        ((HELD, UNKNOWN), State.PROVEN, "The one claim that can be proven here is proven", "1 is not provable here."),
        (
            (HELD, HELD, UNKNOWN, UNKNOWN),
            State.PROVEN,
            "All 2 claims that can be proven here are proven",
            "2 are not provable here.",
        ),
        ((UNKNOWN,), State.UNPROVABLE, "Nothing is proven", "1 is not provable here."),
        ((HELD, ERROR), State.UNCHECKED, "1 of 2 claims could not be checked", "1 is proven."),
        (
            (HELD, HELD, BROKEN, UNKNOWN, ERROR),
            State.FAILED,
            "1 of 5 claims failed",
            "2 are proven, 1 is not provable here and 1 could not be checked.",
        ),
        ((BROKEN,), State.FAILED, "1 of 1 claim failed", ""),
        ((), State.UNPROVABLE, "Nothing is proven", "No claim was chosen."),
    ],
)
def test_the_verdict_is_the_worst_that_was_found_and_names_the_rest(
    results: tuple[Result, ...], state: State, sentence: str, detail: str
) -> None:
    found = verdict(example(results=results))
    assert (found.state, found.sentence, found.detail) == (state, sentence, detail)


def test_the_example_has_every_state_and_its_good_half_none_of_the_bad() -> None:
    """Else the tests of the renderers would look at less than they say."""
    assert totals(example().results) == {
        State.FAILED: 3,
        State.UNCHECKED: 1,
        State.UNPROVABLE: 3,
        State.PROVEN: 18,
    }
    assert verdict(proven()).state is State.PROVEN


def test_groups_come_in_their_own_order_and_hold_every_claim_once() -> None:
    results = (Result(claim=claim("secrets-a", "S.")), HELD, Result(claim=claim("kernel-a", "K.")), BROKEN)
    found = list(by_group(example(results=results)))
    assert [str(group) for group, _ in found] == ["kernel", "out", "secrets"]
    assert [each.claim.id for _, of in found for each in of] == ["kernel-a", "out-a", "out-b", "secrets-a"]
