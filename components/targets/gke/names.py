"""Names and labels of everything at Google: another stack in the same project has none of them."""

import hashlib

LONGEST = 63
"""Characters of a name at Compute Engine."""
LONGEST_CLUSTER = 40
LONGEST_ACCOUNT = 30
_MARK = 6
"""Hexadecimal digits that tell apart two stacks whose names begin alike."""


def named(stack: str, what: str = "", *, longest: int = LONGEST) -> str:
    """Return the name of something; one that is too long ends with a mark of the whole in the place of its rest."""
    whole = "-".join(part for part in ("rakazo", stack, what) if part)
    if len(whole) <= longest:
        return whole
    mark = hashlib.sha256(whole.encode()).hexdigest()[:_MARK]
    return f"{whole[: longest - _MARK - 1].rstrip('-')}-{mark}"


def labels(stack: str) -> dict[str, str]:
    """Return the labels by which a destroy is audited."""
    return {"managed-by": "rakazo-infra", "rakazo-stack": stack}
