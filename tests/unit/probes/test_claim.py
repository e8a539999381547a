"""How looks add up to a claim's state, and how claims are chosen."""

import pytest

from probes.claim import Claim, Evidence, Group, Result, State, chosen


def claim(key: str = "out-x", group: Group = Group.OUT) -> Claim:
    return Claim(id=key, group=group, sentence="s", reason="r", method="m", control="c", remedy="d")


def evidence(*holds: bool | None) -> tuple[Evidence, ...]:
    return tuple(Evidence(subject=f"s{number}", seen="open", holds=each) for number, each in enumerate(holds))


@pytest.mark.parametrize(
    ("holds", "error", "state"),
    [
        ((True, True), "", State.PROVEN),
        ((True, None), "", State.PROVEN),
        ((True, False), "", State.FAILED),
        ((None, False), "", State.FAILED),
        ((None,), "", State.UNPROVABLE),
        ((), "", State.UNPROVABLE),
        ((True,), "broke", State.UNCHECKED),
        ((), "broke", State.UNCHECKED),
        ((False,), "broke", State.FAILED),
    ],
)
def test_one_failure_fails_and_nothing_proves_nothing(holds: tuple[bool | None, ...], error: str, state: State) -> None:
    """A probe that broke after a failure has still seen the failure; one that broke before has proven nothing."""
    assert Result(claim=claim(), evidence=evidence(*holds), error=error).state is state


def test_a_cause_names_the_first_failures_and_counts_the_rest() -> None:
    result = Result(claim=claim(), evidence=evidence(False, True, False, False, False, False))
    assert result.cause == "s0: open; s2: open; s3: open (and 2 more)"


def test_claims_are_chosen_by_id_or_group_and_all_of_them_by_nothing() -> None:
    claims = [claim(), claim("out-y"), claim("birth-window", Group.BIRTH)]
    assert chosen(claims, []) == claims
    assert chosen(claims, ["out"]) == claims[:2]
    assert chosen(claims, ["birth-window", "out-y"]) == claims[1:]


def test_an_unknown_claim_is_refused_with_the_groups() -> None:
    with pytest.raises(ValueError, match="no claim or group is called nonsense; groups: admission, application"):
        chosen([claim()], ["nonsense"])
