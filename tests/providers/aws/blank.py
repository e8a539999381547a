"""A value for every output that the SDK says is there and nothing of the stand-in decides."""

import typing
from collections import abc
from typing import Any

from pulumi import _types

from tests.providers.hints import members
from tests.providers.values import Properties

_PLAIN: dict[Any, Any] = {bool: False, int: 0, float: 0.0, str: "-"}


def fill(outputs: Properties, hints: typing.Mapping[str, Any], always: typing.Iterable[str]) -> Properties:
    """Return the outputs with a value for each that has to be there."""
    return {**{name: _blank(hints[name]) for name in always if outputs.get(name) is None}, **_given(outputs)}


def fill_answer(answer: Properties, result: type) -> Properties:
    """Return the answer of a function with a value for each property that has to be there."""
    hints = _types._raw_return_hints(result)
    return fill(answer, hints, [name for name in _types._required_property_names(result) if name in hints])


def _given(outputs: Properties) -> Properties:
    return {name: value for name, value in outputs.items() if value is not None}


def _blank(hint: Any) -> Any:
    wanted = members(hint)[0]
    origin = typing.get_origin(wanted) or wanted
    if origin in (list, abc.Sequence):
        return []
    if origin in (dict, abc.Mapping):
        return {}
    if _types.is_output_type(wanted):
        hints = _types._raw_return_hints(wanted)
        return {name: _blank(hints[name]) for name in _types._required_property_names(wanted)}
    return _PLAIN[origin]
