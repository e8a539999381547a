"""A rejected stack file, told in its own words: one line per fault, with the key path to look at."""

import difflib
from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from stacks import broken_constraint

_TOLD = {
    "bool_type": "must be true or false, without quotes",
    "string_type": "must be text; put it in quotes, since YAML reads numbers, dates and yes/no as something else",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "finite_number": "must be a whole number",
    "int_from_float": "must be a whole number",
    "tuple_type": "must be a list",
    "dict_type": "must be a mapping of names to text",
    "model_type": "must be a mapping of keys, indented below it",
    "model_attributes_type": "must be a mapping of keys, indented below it",
}


def render_faults(error: ValidationError, model: type[BaseModel], root: str) -> list[str]:
    """Return one line per fault below the key `root`. Values are never quoted: they could be secrets."""
    faults = error.errors(include_url=False, include_input=False)
    return [_render(fault, model, root) for fault in faults if not _follows_from_another(fault, faults)]


def _follows_from_another(fault: ErrorDetails, faults: list[ErrorDetails]) -> bool:
    """Tell whether a list is too short only because its items are refused."""
    size = len(fault["loc"])
    below = [other for other in faults if len(other["loc"]) > size and other["loc"][:size] == fault["loc"]]
    return fault["type"] == "too_short" and bool(below)


def _render(fault: ErrorDetails, model: type[BaseModel], root: str) -> str:
    shown, owner, models = _locate(fault["loc"], model)
    path = ".".join([root, *shown])
    kind, last = fault["type"], shown[-1] if shown else ""
    kinds = ", ".join(sorted(tag for tag in map(_tag, models) if tag))
    if kind == "extra_forbidden":
        return f"{path} is not a setting{_suggestion(last, owner)}"
    if kind == "missing" and last == "kind":
        kinds = str(_tag(owner)) if owner else kinds
        return f"{path} is missing; write kind: and one of {kinds}"
    if kind == "missing":
        return f"{path} is missing; write {_line(last, owner)}"
    if kind == "union_tag_not_found":
        return f"{path}.kind is missing; write kind: and one of {kinds}"
    if kind == "union_tag_invalid":
        return f"{path}.kind is unknown; write one of {kinds}"
    key = last.partition("[")[0]
    field = owner.model_fields.get(key) if owner else None
    message = fault["msg"].removeprefix("Value error, ")
    told = broken_constraint.tell(kind, fault.get("ctx", {}), key, field)
    told = told or _TOLD.get(kind, message[:1].lower() + message[1:])
    return f"{path}: {told}" if kind == "value_error" and models else f"{path} {told}"


def _suggestion(key: str, owner: type[BaseModel] | None) -> str:
    known = list(owner.model_fields) if owner else []
    close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; it takes {', '.join(known)}" if known else ""


def _line(key: str, owner: type[BaseModel] | None) -> str:
    """Give the YAML line to write for a missing key, with what the field's docstring says about it."""
    field = owner.model_fields.get(key) if owner else None
    if field is None or not field.description:
        return f"{key}: …"
    return f"{key}: …  # {' '.join(field.description.split())}"


_Models = list[type[BaseModel]]


def _locate(loc: tuple[int | str, ...], model: type[BaseModel]) -> tuple[list[str], type[BaseModel] | None, _Models]:
    """Return the keys without pydantic's union tags, the model that owns the last one, and those below it."""
    shown: list[str] = []
    owner: type[BaseModel] | None = model
    candidates: _Models = [model]
    for step in loc:
        tagged = [member for member in candidates if _tag(member) == step]
        if shown and len(tagged) == 1 and step not in tagged[0].model_fields:
            candidates = tagged
            continue
        if isinstance(step, int):
            shown[-1] = f"{shown[-1]}[{step}]" if shown else f"[{step}]"
            continue
        owner = candidates[0] if len(candidates) == 1 else None
        shown.append(step)
        field = owner.model_fields.get(step) if owner else None
        candidates = list(_models(field.annotation)) if field else []
    return shown, owner, candidates


def _tag(model: type[BaseModel]) -> str | None:
    kind = model.model_fields.get("kind")
    values = get_args(kind.annotation) if kind else ()
    return str(values[0]) if values else None


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield every settings model that a field's annotation mentions."""
    if isinstance(annotation, type) and get_origin(annotation) is None:
        if issubclass(annotation, BaseModel):
            yield annotation
        return
    members = get_args(annotation)
    for member in members[:1] if get_origin(annotation) is Annotated else members:
        yield from _models(member)
