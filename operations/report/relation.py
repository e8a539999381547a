"""Who was seen to reach what: the facts behind the picture, without any geometry."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from operations.report.evidence import row
from operations.report.kind import Kind, kind_of, place
from probes.claim import Result
from probes.crossing import Crossing
from probes.reach import Answer, Destination
from probes.vantage import Vantage
from probes.verification import Verification

LOOKED_AT = {"out-dns-cluster": Kind.NAMES, "out-dns-public": Kind.NAMES, "out-public-web": Kind.PUBLIC_WEB}
"""Claims that something is open which asks for more than a connection, and so is no part of the survey."""
_ITS_OWN = {Vantage.NEIGHBOUR: (Kind.SCREENS, Kind.OTHER_PORTS)}
"""The other computer dials its own address, to show that it listens: a control, and no neighbour of itself."""


class Manner(StrEnum):
    """How the attempts of one vantage at one kind of destination ended."""

    OPEN = "open"
    CLOSED = "closed"
    MIXED = "open in part"


@dataclass(frozen=True, kw_only=True)
class Relation:
    """One edge of the picture."""

    source: Vantage
    kind: str
    opened: int
    """Attempts that got through."""
    attempts: int
    """Attempts that mean something: those at a destination that nobody reaches are left out."""
    broken: bool
    """Whether one of them breaks a claim."""

    @property
    def manner(self) -> Manner:
        """Open or closed when all attempts agree."""
        if self.opened == self.attempts:
            return Manner.OPEN
        return Manner.MIXED if self.opened else Manner.CLOSED

    def __str__(self) -> str:
        """Return the relation as one sentence."""
        broken = ", which breaks a claim" if self.broken else ""
        return f"{self.source} → {self.kind}: {self.manner}, {self.opened} of {self.attempts} got through{broken}"


def relations(verification: Verification) -> list[Relation]:
    """Return what was measured and means something, by vantage and then by kind.

    A closed attempt counts only where somebody else got through, or a claim has another witness: else the
    destination may not exist.
    """
    tried: dict[tuple[Vantage, str], list[bool]] = defaultdict(list)
    broken = {
        (each.source, kind_of(each.target, verification.facts))
        for each, holds in _judged(verification.results)
        if holds is False
    }
    absent = unreached(verification)
    for source, target, answer in verification.answers:
        kind = kind_of(target, verification.facts)
        if target not in absent and kind not in _ITS_OWN.get(source, ()):
            tried[source, kind].append(answer is Answer.OPEN)
    for source, kind, reached in _looked(verification.results):
        tried[source, kind].append(reached)
        if not reached:
            broken.add((source, kind))
    order = list(Vantage)
    return [
        Relation(source=source, kind=kind, opened=sum(got), attempts=len(got), broken=(source, kind) in broken)
        for (source, kind), got in sorted(tried.items(), key=lambda item: (order.index(item[0][0]), place(item[0][1])))
    ]


def unreached(verification: Verification) -> set[Destination]:
    """Return the destinations of which nothing shows that they are there."""
    there = {target for _, target, answer in verification.answers if answer is Answer.OPEN}
    there |= {each.target for each, holds in _judged(verification.results) if holds is not None}
    return {target for _, target, _ in verification.answers} - there


def _judged(results: Iterable[Result]) -> Iterator[tuple[Crossing, bool | None]]:
    for result in results:
        if len(result.evidence) == len(result.claim.crossings):
            yield from ((c, e.holds) for c, e in zip(result.claim.crossings, result.evidence, strict=True))


def _looked(results: Iterable[Result]) -> Iterator[tuple[Vantage, str, bool]]:
    for result in results:
        for each in result.evidence if result.claim.id in LOOKED_AT else ():
            source = row(each).source
            if each.holds is not None and source in set(Vantage):
                yield Vantage(source), LOOKED_AT[result.claim.id], each.holds
