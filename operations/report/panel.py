"""What the vantages that see the same were seen to reach: the content of one picture."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from operations.report.relation import Manner, Relation
from probes.vantage import Vantage

_LAST = (
    Vantage.STRAY,
    Vantage.IMPOSTOR,
    Vantage.BYSTANDER,
    Vantage.CONTROL,
    Vantage.LISTENER,
    Vantage.STRANGER,
    Vantage.MACHINE,
    Vantage.OUTSIDE,
)
"""Strangers stand below computers and services, and the control below everything."""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Vantages with the same relations."""

    sources: tuple[Vantage, ...]
    relations: tuple[Relation, ...]
    """Of one of them, since the others' differ in the source alone. What breaks a claim comes first, then what
    is open."""

    @property
    def title(self) -> str:
        """Return the vantages' names."""
        return ", ".join(self.sources)

    @property
    def description(self) -> str:
        """Return the picture in words."""
        words = [
            f"{manner}: {', '.join(each.kind for each in self.relations if each.manner is manner)}"
            for manner in Manner
            if any(each.manner is manner for each in self.relations)
        ]
        bad = [each.kind for each in self.relations if each.broken]
        return "; ".join([*words, *([f"against a claim: {', '.join(bad)}"] if bad else [])]) + "."


def panels(relations: Sequence[Relation]) -> list[Panel]:
    """Return one panel per set of vantages with the same relations; strangers and the control are last."""
    of: dict[Vantage, list[Relation]] = defaultdict(list)
    for each in relations:
        of[each.source].append(each)
    alike: dict[tuple[tuple[str, Manner, bool], ...], list[Vantage]] = defaultdict(list)
    for source, own in of.items():
        alike[tuple((each.kind, each.manner, each.broken) for each in own)].append(source)
    found = [
        Panel(sources=tuple(sorted(sources, key=_place)), relations=tuple(sorted(of[sources[0]], key=_urgency)))
        for sources in alike.values()
    ]
    return sorted(found, key=lambda each: _place(each.sources[0]))


def _place(source: Vantage) -> int:
    return _LAST.index(source) + len(Vantage) if source in _LAST else list(Vantage).index(source)


def _urgency(relation: Relation) -> tuple[bool, bool]:
    return not relation.broken, relation.manner is Manner.CLOSED
