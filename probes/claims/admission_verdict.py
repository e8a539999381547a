"""What the API server's answers to dry runs and connections mean."""

from probes.claim import Evidence
from probes.facts import Facts

POD_SECURITY = "violates PodSecurity "
QUOTA = "exceeded quota"
"""The quota is asked last: what it refuses has passed every rule."""


def filled(message: str, facts: Facts) -> str:
    """Return a sentence of a rule with what this stack expects."""
    return message.format(image=facts.image_computer, runtime_class=facts.runtime_class, user=facts.username)


def denial(policy: str, message: str) -> str:
    """Return how the API server reports a rule of a policy that is bound under its own name."""
    return f"ValidatingAdmissionPolicy '{policy}' with binding '{policy}' denied request: {message}"


def verdict(subject: str, answer: str | None, policy: str, message: str, control: str) -> Evidence:
    """Return what an answer means to somebody who has earned a sentence of a policy; None is an acceptance.

    A refusal for another reason proves nothing: with that reason gone the request might be accepted.
    """
    if answer is None:
        return Evidence(subject=subject, seen="accepted, and must be refused", control=control, holds=False)
    if QUOTA in answer:
        seen = "no rule refused it, only the quota, which is full"
        return Evidence(subject=subject, seen=seen, control=control, holds=False)
    if answer.endswith(denial(policy, message)):
        return Evidence(subject=subject, seen=f"refused by {policy}: {message}", control=control, holds=True)
    if POD_SECURITY in answer:
        why = answer.partition(POD_SECURITY)[2]
        return Evidence(subject=subject, seen=f"refused by Pod Security, {why}", control=control, holds=True)
    return Evidence(subject=subject, seen=f"refused for another reason: {answer}", control=control, holds=None)
