"""The one sentence that a report begins with."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from operations.report.words import SHOWN_FIRST, counted, listed
from probes.claim import Group, Result, State
from probes.verification import Verification


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a whole run says."""

    state: State
    """The worst that was found: UNPROVABLE when nothing at all could be proven."""
    sentence: str
    detail: str
    """The other states' numbers; empty when there is nothing to add."""


def totals(results: Iterable[Result]) -> dict[State, int]:
    """Return how many results have each state, also the states that none has."""
    states = [each.state for each in results]
    return {state: states.count(state) for state in SHOWN_FIRST}


def verdict(verification: Verification) -> Verdict:
    """Return the sentence, which never calls proven what was not."""
    number = totals(verification.results)
    every = len(verification.results)
    proven = number[State.PROVEN]
    if number[State.FAILED]:
        state, sentence = State.FAILED, f"{number[State.FAILED]} of {counted(every, 'claim')} failed"
    elif number[State.UNCHECKED]:
        state = State.UNCHECKED
        sentence = f"{number[State.UNCHECKED]} of {counted(every, 'claim')} could not be checked"
    elif not proven:
        state, sentence = State.UNPROVABLE, "Nothing is proven"
    elif proven < every:
        one = proven == 1
        state = State.PROVEN
        sentence = "The one claim that" if one else f"All {proven} claims that"
        sentence += " can be proven here " + ("is proven" if one else "are proven")
    else:
        state = State.PROVEN
        sentence = "The one claim is proven" if every == 1 else f"All {every} claims are proven"
    return Verdict(state=state, sentence=sentence, detail=_rest(number, state, every))


def _rest(number: dict[State, int], told: State, every: int) -> str:
    if not every:
        return "No claim was chosen."
    verbs = {
        State.UNCHECKED: "could not be checked",
        State.UNPROVABLE: "{} not provable here",
        State.PROVEN: "{} proven",
    }
    parts = [
        f"{number[state]} {verbs[state].format('is' if number[state] == 1 else 'are')}"
        for state in reversed(SHOWN_FIRST)
        if number[state] and state in verbs and (state is not told or told is State.UNPROVABLE)
    ]
    return f"{listed(parts)}." if parts else ""


def by_group(verification: Verification) -> Iterator[tuple[Group, list[Result]]]:
    """Yield each group that has claims, in the order of `Group`, with its results in the claims' order."""
    for group in Group:
        found = [each for each in verification.results if each.claim.group is group]
        if found:
            yield group, found
