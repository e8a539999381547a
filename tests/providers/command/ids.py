"""Identifiers of things that are nowhere but in the state."""

import secrets


def fresh(name: str = "") -> str:
    """Return the name and eight hexadecimal digits, the form that the real provider gives its resources."""
    return f"{name}{secrets.token_hex(4)}"
