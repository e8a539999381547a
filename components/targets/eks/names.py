"""Names and tags of everything at AWS: another stack in the same account has none of them."""

LONGEST_ROLE = 64
"""Characters of an IAM role's name, the tightest limit: a stack's name has at most 40 of them."""
LONGEST_GROUP_PREFIX = 37
"""Characters of a node group's name before what AWS appends to tell it from its successor."""


def named(stack: str, what: str) -> str:
    """Return the name of something."""
    return f"rakazo-{stack}-{what}"


def cluster_name(stack: str) -> str:
    """Return the cluster's name, which is also in its kubeconfig and its log group."""
    return f"rakazo-{stack}"


def group_prefix(pool: str) -> str:
    """Return what a node group's name begins with; its cluster tells it from other stacks'."""
    return f"{pool}-"


def tags(stack: str) -> dict[str, str]:
    """Return the tags by which a destroy is audited; the provider puts them on everything."""
    return {"managed-by": "rakazo-infra", "rakazo-stack": stack}
