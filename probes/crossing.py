"""One attempt from a vantage to a destination, and what the answers mean for a claim."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from probes.claim import Evidence
from probes.reach import Answer, Destination
from probes.vantage import Vantage

Answers = Mapping[tuple[Vantage, Destination], Answer]
"""What a survey found; a vantage that does not exist here is missing."""


@dataclass(frozen=True, kw_only=True)
class Crossing:
    """Who tries to reach what, and whether he may."""

    source: Vantage
    target: Destination
    open: bool
    """Whether it must be open. Else it must be closed, while `control` finds it open."""
    control: Vantage | None = None
    """Who reaches the same destination, so that closed does not mean absent."""
    witness: str = ""
    """What else shows that the destination answers: Kubernetes' own readiness probe of web."""

    def __post_init__(self) -> None:
        """Refuse a denial without a control: nothing could tell a closed door from a wall."""
        if not self.open and self.control is None and not self.witness:
            raise ValueError(f"{self.source} must not reach {self.target}, but nothing says that somebody can")

    def attempts(self) -> Iterable[tuple[Vantage, Destination]]:
        """Every attempt that the judgement needs."""
        yield self.source, self.target
        if self.control is not None:
            yield self.control, self.target

    def lost(self, unwitnessed: Mapping[str, str]) -> str:
        """Return why its witness says nothing; empty when it does, or when none is needed."""
        needed = not self.open and self.control is None
        return unwitnessed.get(self.target.address, "") if needed else ""

    def judge(self, answers: Answers, unwitnessed: Mapping[str, str] = MappingProxyType({})) -> Evidence:
        """Return what the survey says about this crossing; at `unwitnessed` addresses no witness counts."""
        seen = answers.get((self.source, self.target))
        subject = f"{self.source} → {self.target}"
        if seen is None:
            return Evidence(subject=subject, seen="nobody is there to try it", holds=None)
        if self.open:
            return Evidence(subject=subject, seen=str(seen), holds=seen is Answer.OPEN)
        if seen is Answer.OPEN:
            return Evidence(subject=subject, seen="open, and must be closed", control=self._said(answers), holds=False)
        if lost := self.lost(unwitnessed):
            return Evidence(subject=subject, seen=str(seen), control=lost, holds=None)
        return Evidence(subject=subject, seen=str(seen), control=self._said(answers), holds=self._controlled(answers))

    def _controlled(self, answers: Answers) -> bool | None:
        if self.control is None:
            return True
        return True if answers.get((self.control, self.target)) is Answer.OPEN else None

    def _said(self, answers: Answers) -> str:
        if self.control is None:
            return self.witness
        seen = answers.get((self.control, self.target))
        return f"{self.control}: {seen if seen is not None else 'not there'}"
