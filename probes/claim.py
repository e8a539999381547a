"""What is claimed of a stack, and what was found."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from probes.crossing import Crossing


class State(StrEnum):
    """What a verification found out about a claim."""

    PROVEN = "proven"
    FAILED = "failed"
    UNPROVABLE = "not provable here"
    """Nothing answers behind the address even where no policy holds back, or the runtime has no such limit."""
    UNCHECKED = "could not be checked"
    """The probe itself broke; the cause says how."""


class Group(StrEnum):
    """What a claim is about; also what `--only` takes."""

    KERNEL = "kernel"
    PLACEMENT = "placement"
    OUT = "out"
    IN = "in"
    BIRTH = "birth"
    IDENTITY = "identity"
    ADMISSION = "admission"
    LIMITS = "limits"
    SECRETS = "secrets"
    APPLICATION = "application"


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One thing that was looked at."""

    subject: str
    """Who or what was looked at: `a computer → cloud metadata 169.254.169.254:80`."""
    seen: str
    """What it did: `silent`, `Starting gVisor`, …"""
    control: str = ""
    """What shows that the look could have gone otherwise: `a pod without policies: open`."""
    holds: bool | None
    """Whether the claim holds for it; None when that cannot be known here."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One sentence about the isolation, with how to find out whether it is true.

    It has either crossings, which one survey answers for all claims together, or a look of its own.
    """

    id: str
    """Begins with its group: `out-metadata`."""
    group: Group
    sentence: str
    reason: str
    """Why it matters."""
    method: str
    """How it is probed."""
    control: str
    """What shows that the probe can fail."""
    remedy: str
    """What to do when it fails."""
    crossings: tuple["Crossing", ...] = ()
    look: Callable[[Any], Iterable[Evidence]] | None = None
    """Takes the scene of its own kind of stack."""
    alone: bool = False
    """Whether it disturbs others, or is disturbed by them, so that it runs when they have ended."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """A claim and what was found out about it."""

    claim: Claim
    evidence: tuple[Evidence, ...] = ()
    error: str = ""
    """What broke the probe."""
    seconds: float = field(default=0.0, compare=False)
    """Time that the look took; 0 for crossings, which share one survey."""

    @property
    def state(self) -> State:
        """One failure fails the claim; it is proven by at least one look that held."""
        held = [each.holds for each in self.evidence]
        if False in held:
            return State.FAILED
        if self.error:
            return State.UNCHECKED
        return State.PROVEN if True in held else State.UNPROVABLE

    @property
    def cause(self) -> str:
        """What is wrong in one line; empty when nothing is."""
        failed = [f"{each.subject}: {each.seen}" for each in self.evidence if each.holds is False]
        if failed:
            more = f" (and {len(failed) - 3} more)" if len(failed) > 3 else ""  # noqa: PLR2004 - what a line holds
            return "; ".join(failed[:3]) + more
        return self.error


def chosen(claims: Iterable[Claim], only: Iterable[str]) -> list[Claim]:
    """Return the claims whose id or group is named, all of them when nothing is; ValueError for an unknown name."""
    listed, wanted = list(claims), list(only)
    known = {each.id for each in listed} | {str(each.group) for each in listed}
    unknown = sorted(set(wanted) - known)
    if unknown:
        raise ValueError(
            f"no claim or group is called {', '.join(unknown)}; groups: {', '.join(sorted({*map(str, Group)}))}; "
            "`rakazo-infra verify --list` prints every claim"
        )
    return [each for each in listed if not wanted or each.id in wanted or str(each.group) in wanted]
