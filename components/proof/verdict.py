"""What `pulumi up` says about a verification."""

from dataclasses import dataclass

from probes.claim import Result, State
from probes.verification import Verification


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether the way in may open, and the text for the person who typed `pulumi up`."""

    holds: bool
    text: str


def judge(found: Verification) -> Verdict:
    """Return the verdict on a complete run: a claim that could not be checked is not proven."""
    wrong = [*found.failed, *found.unchecked]
    proven, unprovable = (len(found.of_state(state)) for state in (State.PROVEN, State.UNPROVABLE))
    if wrong:
        claims = "\n".join(_told(result) for result in wrong)
        many = f"{len(wrong)} of {len(found.results)} claims about the isolation do not hold"
        only = " ".join(f"--only {result.claim.id}" for result in wrong[:3])
        return Verdict(
            holds=False,
            text=f"{many}:\n{claims}\n{after(f'rakazo-infra verify {only}')}",
        )
    return Verdict(
        holds=True,
        text=f"isolation: {proven} claims proven in {found.seconds:.0f} s, {unprovable} not provable here "
        "(rakazo-infra verify lists them)",
    )


def unchecked(reason: str) -> Verdict:
    """Return the verdict when there was no run at all."""
    return Verdict(holds=False, text=f"the isolation could not be checked: {reason}\n{after('rakazo-infra verify')}")


def after(command: str) -> str:
    """Return what the state is now and what to type next."""
    return (
        "The application runs and nothing leads to it from outside. "
        f"Look closer with `{command}`; when it is mended, `pulumi up` goes on from here."
    )


def _told(result: Result) -> str:
    claim = result.claim
    return f"  {claim.id} ({result.state}): {claim.sentence}\n    {result.cause}\n    remedy: {claim.remedy}"
