"""One line of evidence, taken apart for a table."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from probes.claim import Evidence, Result, State

_SUBJECT = re.compile(r"(?:(?P<source>.+?) → )?(?P<target>.+?)(?: \((?P<address>[^()]*)\))?", re.DOTALL)
"""`a computer → a neighbour in 10.0.0.0/8 (10.99.0.10:80 by UDP)`; all but the middle may be missing."""

WORDS = {True: "held", False: "broken", None: "unknown"}
"""What one look says about the claim."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """An evidence with its subject in parts."""

    source: str
    """Who tried; empty when nobody had to try anything."""
    target: str
    address: str
    """Empty when the target has none."""
    seen: str
    control: str
    word: str
    """`held`, `broken` or `unknown`."""


def row(evidence: Evidence) -> Row:
    """Take one evidence apart."""
    found = _SUBJECT.fullmatch(evidence.subject)
    parts = found.groupdict() if found else {"source": None, "target": evidence.subject, "address": None}
    return Row(
        source=parts["source"] or "",
        target=parts["target"] or "",
        address=parts["address"] or "",
        seen=evidence.seen,
        control=evidence.control,
        word=WORDS[evidence.holds],
    )


def rows(result: Result) -> list[Row]:
    """Return a result's evidence; what breaks the claim comes first, then what stayed unknown."""
    order = [WORDS[False], WORDS[None], WORDS[True]]
    return sorted(map(row, result.evidence), key=lambda each: order.index(each.word))


def tally(result: Result) -> str:
    """Return `3 held, 1 unknown`; empty when nothing was looked at."""
    words = [each.word for each in rows(result)]
    return ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(reversed(words)))


def why_unprovable(result: Result) -> str:
    """Return what kept a claim from being proven, each reason once; empty for a claim of another state."""
    if result.state is not State.UNPROVABLE:
        return ""
    return "; ".join(dict.fromkeys(_reasons(result))) or "There is no such thing in this stack to look at."


def _reasons(result: Result) -> Iterator[str]:
    for each in result.evidence:
        yield f"no answer to the control either ({each.control})" if each.control else each.seen
