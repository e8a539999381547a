"""The walk of a value along the type that the SDK states for it."""

import difflib
import inspect
import types
import typing
from collections import abc
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import pulumi
from pulumi import _types

from tests.providers.failure import Failure
from tests.providers.values import ARCHIVE, ASSET, SIGNATURE, UNKNOWN, Secret

Checked = tuple[Any, list[Failure]]
"""The value, coerced where the provider would, and what is wrong with it."""

_NAMES = {bool: "a boolean", int: "a number", float: "a number", str: "a string", dict: "an object", list: "a list"}
_PACKED = {pulumi.Asset: ASSET, pulumi.Archive: ARCHIVE}


def check_value(value: Any, hint: Any, path: str, *, coerces: bool) -> Checked:
    """Check one value; with `coerces`, take "5" for a number and the like, as providers bridged from Terraform do.

    Of a type with several members the value may be any; when it is none, the member with the fewest failures is
    reported, which is the one that the program meant.
    """
    if value is UNKNOWN:
        return value, []
    if isinstance(value, Secret):
        inner, failures = check_value(value.value, hint, path, coerces=coerces)
        return Secret(inner), failures
    tried = []
    for member in members(hint):
        checked = _check_member(value, member, path, coerces=coerces)
        if not checked[1]:
            return checked
        tried.append(checked)
    return min(tried, key=lambda each: (len(each[1]), -max(len(failure.path) for failure in each[1])))


def check_object(value: Mapping[str, Any], cls: type, path: str, *, coerces: bool) -> Checked:
    """Check an object whose properties an input class of the SDK declares."""
    hints = _types._raw_return_hints(cls)
    checked: dict[str, Any] = {}
    failures = []
    for name, item in value.items():
        where = f"{path}.{name}" if path else name
        if name not in hints:
            failures.append(Failure(path=where, reason=f"no such property{_meant(name, hints)}"))
            continue
        if item is not None:
            checked[name], wrong = check_value(item, hints[name], where, coerces=coerces)
            failures += wrong
    failures += [
        Failure(path=f"{path}.{name}" if path else name, reason="missing required property")
        for name in sorted(_types._required_property_names(cls))
        if value.get(name) is None
    ]
    return checked, failures


def members(hint: Any) -> list[Any]:
    """Return the types that a value of this hint may have on the wire."""
    if not is_union(hint):
        return [] if hint is type(None) or _types._is_plumbing_arg(hint) else [hint]
    return [member for argument in typing.get_args(hint) for member in members(argument)]


def is_union(hint: Any) -> bool:
    """Whether a hint has several members, `None` among them perhaps."""
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def _check_member(value: Any, member: Any, path: str, *, coerces: bool) -> Checked:
    if member is Any:
        return value, []
    origin, arguments = typing.get_origin(member) or member, typing.get_args(member)
    if origin in (list, abc.Sequence):
        return _check_list(value, arguments, path, coerces=coerces)
    if origin in (dict, abc.Mapping):
        return _check_mapping(value, arguments, path, coerces=coerces)
    if not inspect.isclass(member):
        raise TypeError(f"the SDK states {member!r} for {path}, which this walk does not know")
    return _check_class(value, member, path, coerces=coerces)


def _check_class(value: Any, member: type, path: str, *, coerces: bool) -> Checked:
    if member in _PACKED:
        packed = isinstance(value, Mapping) and value.get(SIGNATURE) == _PACKED[member]
        return value, [] if packed else [_expected(path, f"a pulumi.{member.__name__}", value)]
    if _types.is_input_type(member) or _types.is_output_type(member):
        if not isinstance(value, Mapping):
            return value, [_expected(path, "an object", value)]
        return check_object(value, member, path, coerces=coerces)
    if issubclass(member, Enum):
        return _check_choice(value, [each.value for each in member], path)
    return _check_scalar(value, member, path, coerces=coerces)


def _check_list(value: Any, arguments: tuple[Any, ...], path: str, *, coerces: bool) -> Checked:
    if not isinstance(value, list):
        return value, [_expected(path, "a list", value)]
    pairs = [
        check_value(item, arguments[0] if arguments else Any, f"{path}[{index}]", coerces=coerces)
        for index, item in enumerate(value)
    ]
    return [item for item, _ in pairs], [failure for _, wrong in pairs for failure in wrong]


def _check_mapping(value: Any, arguments: tuple[Any, ...], path: str, *, coerces: bool) -> Checked:
    if not isinstance(value, Mapping):
        return value, [_expected(path, "an object", value)]
    hint = arguments[1] if len(arguments) > 1 else Any
    pairs = {
        name: check_value(item, hint, f'{path}["{name}"]', coerces=coerces)
        for name, item in value.items()
        if item is not None
    }
    return {name: item for name, (item, _) in pairs.items()}, [f for _, wrong in pairs.values() for f in wrong]


def _check_choice(value: Any, choices: typing.Sequence[Any], path: str) -> Checked:
    if value in choices:
        return value, []
    return value, [Failure(path=path, reason=f"must be one of {', '.join(map(str, choices))}")]


def _check_scalar(value: Any, kind: type, path: str, *, coerces: bool) -> Checked:
    if kind is bool and isinstance(value, bool):
        return value, []
    if kind in (int, float) and isinstance(value, (int, float)) and not isinstance(value, bool):
        whole = kind is float or float(value).is_integer()
        return value, [] if whole else [Failure(path=path, reason="must be a whole number")]
    if kind is str and isinstance(value, str):
        return value, []
    if coerces and isinstance(value, (str, bool, int, float)):
        try:
            return _COERCIONS[kind](value), []
        except (KeyError, ValueError):
            pass
    return value, [_expected(path, _NAMES.get(kind, kind.__name__), value)]


def _to_bool(value: Any) -> bool:
    return {"true": True, "false": False}[str(value).lower()]


def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_COERCIONS: Mapping[type, Callable[[Any], Any]] = {bool: _to_bool, int: int, float: float, str: _to_text}


def _expected(path: str, wanted: str, value: Any) -> Failure:
    got = next((name for kind, name in _NAMES.items() if type(value) is kind), "something else")
    return Failure(path=path, reason=f"expected {wanted}, got {got}")


def _meant(name: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f", did you mean '{close[0]}'?" if close else f"; there are {', '.join(sorted(known))}"
