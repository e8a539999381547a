"""Writing TOML, which Python can only read."""

import json
from collections.abc import Iterator
from typing import Any


def render(content: dict[str, Any]) -> str:
    """Render tables, texts, numbers, truths and lists of them."""
    return "\n".join(_lines(content, ())) + "\n"


def _lines(table: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    values = {key: value for key, value in table.items() if not isinstance(value, dict)}
    if path and (values or not table):
        yield f"[{'.'.join(_text(part) for part in path)}]"
    for key, value in values.items():
        yield f"{_text(key)} = {_value(value)}"
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _lines(value, (*path, key))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)} = {_value(entry)}" for key, entry in value.items()) + "}"
    return _text(str(value))


def _text(value: str) -> str:
    # JSON's escapes are a part of those of TOML's basic strings.
    return json.dumps(value)
