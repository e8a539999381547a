"""Names and labels of everything at Hetzner: another stack in the same project has none of them."""


def named(stack: str, what: str) -> str:
    """Return the name of something; a server's is also its host name and its node's."""
    return f"rakazo-{stack}-{what}"


def labels(stack: str) -> dict[str, str]:
    """Return the labels by which a destroy is audited."""
    return {"managed-by": "rakazo-infra", "rakazo-stack": stack}


def selector(stack: str) -> str:
    """Return them as Hetzner's API takes them in a question."""
    return ",".join(f"{key}={value}" for key, value in labels(stack).items())
