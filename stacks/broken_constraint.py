"""A value outside the limits of its key, told with the limit and the line to write."""

from collections.abc import Mapping
from typing import Any

from pydantic.fields import FieldInfo


def tell(kind: str, limits: Mapping[str, Any], key: str, field: FieldInfo | None) -> str | None:
    """Return what is wrong and what to write instead; None for a kind of fault without limits.

    `kind` and `limits` are pydantic's own, `key` is the last key of the path.
    """
    if kind in _NUMBERS:
        phrase, bound, step = _NUMBERS[kind]
        limit = limits[bound]
        return f"must be {phrase} {limit}; write {key}: {limit + step}"
    match kind:
        case "literal_error":
            allowed = str(limits["expected"]).replace("'", "")
            return f"must be {allowed}; write {key}: {allowed.replace(',', ' ').split()[0]}"
        case "too_short":
            shortest = limits["min_length"]
            return f"has too few entries, at least {shortest} is needed; write {_line(key, field)}"
        case "string_too_short":
            return f"must not be empty; write {_line(key, field)}"
        case "string_pattern_mismatch":
            return f"must match {limits['pattern']}; write {_line(key, field)}"
        case _:
            return None


_NUMBERS = {
    "greater_than_equal": ("at least", "ge", 0),
    "less_than_equal": ("at most", "le", 0),
    "greater_than": ("more than", "gt", 1),
    "less_than": ("less than", "lt", -1),
}
"""How a bound is told, where pydantic keeps it, and how far from it the nearest allowed whole number is."""


def _line(key: str, field: FieldInfo | None) -> str:
    """Give the line with the key's default, or else with what its docstring says about it."""
    if field is not None and isinstance(field.default, str):
        return f"{key}: {field.default}"
    about = f"  # {' '.join(field.description.split())}" if field is not None and field.description else ""
    return f"{key}: …{about}"
