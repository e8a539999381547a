"""What changed between two sets of inputs, as paths that the engine and its options understand."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from tests.providers.values import UNKNOWN, revealed

Kind = Literal["ADD", "DELETE", "UPDATE"]

_PLAIN = re.compile(r"[A-Za-z_$][\w$]*")


def difference(
    old: Mapping[str, Any], new: Mapping[str, Any], unordered: frozenset[str] = frozenset()
) -> dict[str, Kind]:
    """Return path to kind of change; `unordered` names lists that are sets, as `rules[].sourceIps`.

    Properties that begin with two underscores are the provider's own notes and do not count. Whether a value is
    secret does not count either: making it one changes the state, not the resource.
    """
    return dict(_of_mappings(_counted(old), _counted(new), "", "", unordered))


def root(path: str) -> str:
    """Return the top-level property of a path."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def forcing(changes: Iterable[str], replaces: Iterable[str]) -> frozenset[str]:
    """Return the top-level properties whose change makes a new resource, of the paths that changed.

    A path of `replaces`, such as `nodeConfig.sandboxConfig`, stands for what is below it, and for what it is part of
    when that comes or goes as a whole.
    """
    below = tuple(replaces)
    return frozenset(
        root(path)
        for path in changes
        if any(_is_within(_shape(path), each) or _is_within(each, _shape(path)) for each in below)
    )


def _shape(path: str) -> str:
    return re.sub(r"\[[^]]*\]", "", path)


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}.")


def _counted(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in revealed(properties).items() if not name.startswith("__")}


def _of_mappings(
    old: Mapping[str, Any], new: Mapping[str, Any], path: str, shape: str, unordered: frozenset[str]
) -> Iterator[tuple[str, Kind]]:
    for name in sorted({*old, *new}):
        inner = f"{shape}.{name}" if shape else name
        yield from _of(old.get(name), new.get(name), _joined(path, name), inner, unordered)


def _of(old: Any, new: Any, path: str, shape: str, unordered: frozenset[str]) -> Iterator[tuple[str, Kind]]:
    if old is None or new is None:
        if old is not new:
            yield path, "ADD" if old is None else "DELETE"
    elif isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _of_mappings(old, new, path, shape, unordered)
    elif isinstance(old, list) and isinstance(new, list):
        if shape in unordered and _as_set(old) == _as_set(new):
            return
        for index in range(max(len(old), len(new))):
            before, after = (each[index] if index < len(each) else None for each in (old, new))
            yield from _of(before, after, f"{path}[{index}]", f"{shape}[]", unordered)
    elif old != new or old is UNKNOWN:
        yield path, "UPDATE"


def _as_set(items: list[Any]) -> list[str]:
    return sorted(json.dumps(_sorted_inside(item), sort_keys=True, default=repr) for item in items)


def _sorted_inside(value: Any) -> Any:
    """What holds for a set holds for the lists in its members: Hetzner's are sets all the way down."""
    if isinstance(value, Mapping):
        return {name: _sorted_inside(item) for name, item in value.items()}
    return sorted(map(str, value)) if isinstance(value, list) else value


def _joined(path: str, name: str) -> str:
    if not _PLAIN.fullmatch(name):
        return f'{path}["{name}"]'
    return f"{path}.{name}" if path else name
