"""Names and tags of everything at DigitalOcean: another stack in the same account has none of them."""


def named(stack: str, what: str) -> str:
    """Return the name of something."""
    return f"rakazo-{stack}-{what}"


def tags(stack: str) -> list[str]:
    """Return the tags by which a destroy is audited."""
    return ["rakazo-infra", f"rakazo-{stack}"]
