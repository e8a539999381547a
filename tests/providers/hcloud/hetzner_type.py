"""What all types of Hetzner have in common: a place in the project, labels, and drift."""

import copy
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud.project import Project
from tests.providers.hcloud.replacements import REPLACES, UNORDERED
from tests.providers.resource_type import Resource, ResourceType
from tests.providers.values import UNKNOWN, Properties

_PART = r"[a-z0-9A-Z]((?:[\-_.]|[a-z0-9A-Z]){{0,{}}}[a-z0-9A-Z])?"
LABEL_KEY = re.compile(f"({_PART.format(253)}/)?{_PART.format(61)}")
LABEL_VALUE = re.compile(f"({_PART.format(61)})?")
"""hcloud-go v2.47.0, labels.go."""


class HetznerType(ResourceType):
    """A type whose things are in `project.objects` under `kind`."""

    kind: ClassVar[str]
    unreadable: ClassVar[frozenset[str]] = frozenset()
    """Inputs that the API does not give back, so that no drift of theirs is ever seen."""

    def __init_subclass__(cls) -> None:
        if "kind" not in vars(cls):  # a base of several types
            return
        cls.replaces = REPLACES[cls.kind]
        cls.unordered = UNORDERED.get(cls.kind, frozenset())

    def __init__(self, project: Project) -> None:
        self.project = project

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take labels that the API takes."""
        labels = inputs.get("labels", {})
        if labels is UNKNOWN:
            return []
        return [
            Failure(path=f'labels["{key}"]', reason=f"the {what} is not correctly formatted")
            for key, value in labels.items()
            for what, fits in (
                ("key", LABEL_KEY.fullmatch(key)),
                ("value", value is UNKNOWN or LABEL_VALUE.fullmatch(value)),
            )
            if not fits
        ]

    def outputs(self, identifier: str) -> Properties:
        """Return what a thing is now, in the SDK's names; called with the project's lock."""
        return copy.deepcopy(self.project.must(self.kind, identifier))

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return the thing as the project has it, and inputs that would make it so."""
        with self.project.lock:
            if self.project.find(self.kind, resource.id) is None:
                return None
            outputs = self.outputs(resource.id)
        return Resource(id=resource.id, inputs=self._as_inputs(resource.inputs, outputs), outputs=outputs)

    def _as_inputs(self, given: Properties, outputs: Properties) -> Properties:
        if not given:  # an import
            return {name: value for name, value in outputs.items() if name in self.schema.inputs and value}
        current = {
            name: value if name in self.unreadable else _as_given(value, outputs.get(name), name)
            for name, value in given.items()
        }
        if outputs.get("labels") and "labels" not in given:
            current["labels"] = outputs["labels"]
        return {name: value for name, value in current.items() if value is not None}


def exactly_one_of(inputs: Mapping[str, Any], *names: str) -> list[Failure]:
    """Return a failure unless exactly one of these inputs is given."""
    given = [name for name in names if inputs.get(name) is not None]
    if len(given) == 1:
        return []
    found = f"{' and '.join(given)} are given" if given else "none is given"
    return [Failure(path="", reason=f"exactly one of {', '.join(names)} must be given; {found}")]


def one_of(inputs: Mapping[str, Any], name: str, *choices: str) -> list[Failure]:
    """Return a failure unless an input is absent, unknown or one of these."""
    if inputs.get(name) in (None, UNKNOWN, *choices):
        return []
    return [Failure(path=name, reason=f"must be one of {', '.join(choices)}")]


def _as_given(given: Any, current: Any, name: str) -> Any:
    """Return the current value in the form of the given one: without what the cloud added to it."""
    if isinstance(given, Mapping) and isinstance(current, Mapping) and name != "labels":
        return {key: _as_given(value, current.get(key), key) for key, value in given.items()}
    if isinstance(given, list) and isinstance(current, list) and len(given) == len(current):
        return [_as_given(value, now, name) for value, now in zip(given, current, strict=True)]
    return current
