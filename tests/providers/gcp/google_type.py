"""What all types of Google have in common: a place in the project, names, and drift."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.gcp.google_project import GoogleProject
from tests.providers.gcp.replacements import REPLACES, UNORDERED
from tests.providers.refused import RefusedError
from tests.providers.resource_type import Created, Resource, ResourceType
from tests.providers.values import UNKNOWN, Properties

NAME = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
"""RFC 1035, as Compute Engine has it (reference of `name`)."""


class GoogleType(ResourceType):
    """A type whose things are in `project.objects` under `kind`."""

    kind: ClassVar[str]
    longest: ClassVar[int] = 63
    """Characters that a name may have."""
    users: ClassVar[tuple[str, ...]] = ()
    """Kinds of which none may mention this thing when it is removed."""

    def __init_subclass__(cls) -> None:
        cls.replaces = REPLACES[cls.kind]
        cls.unordered = UNORDERED.get(cls.kind, frozenset())

    def __init__(self, project: GoogleProject) -> None:
        self.project = project

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take names that Google takes."""
        name = inputs.get("name")
        if not isinstance(name, str) or (NAME.fullmatch(name) and len(name) <= self.longest):
            return []
        return [Failure(path="name", reason=f"must be 1 to {self.longest} characters of {NAME.pattern}")]

    def identify(self, inputs: Properties) -> str:
        """Return the id that a thing with these inputs has."""
        raise NotImplementedError

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Return what the cloud makes of the inputs; RefusedError when it makes nothing."""
        raise NotImplementedError

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the thing."""
        with self.project.lock:
            identifier = self.identify(inputs)
            self.project.add(self.kind, identifier, self.completed(inputs, identifier))
            return Created(id=identifier, outputs=self.project.outputs(self.kind, identifier))

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return the thing as the project has it, and inputs that would make it so."""
        with self.project.lock:
            if resource.id not in self.project.all(self.kind):
                return None
            outputs = self.project.outputs(self.kind, resource.id)
        inputs = {name: _as_given(value, outputs.get(name)) for name, value in resource.inputs.items()}
        return Resource(id=resource.id, inputs=inputs, outputs=outputs)

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change what may be changed."""
        with self.project.lock:
            former = self.project.must(self.kind, old.id)
            self.check_change(former, inputs)
            self.project.all(self.kind)[old.id] = {**former, **self.changed(former, inputs)}
            return self.project.outputs(self.kind, old.id)

    def check_change(self, former: Properties, inputs: Properties) -> None:
        """RefusedError when Google does not carry a change out; nothing is refused unless a type says so."""

    def changed(self, former: Properties, inputs: Properties) -> Properties:
        """Return what of the thing is now otherwise."""
        return inputs

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the thing, once nothing uses it."""
        with self.project.lock:
            self.project.check_unused(self.kind, resource.id, *self.users)
            self.project.remove(self.kind, resource.id)


def never(call: Call) -> RefusedError:
    """Return the error for a change that is never asked for: every input replaces."""
    return RefusedError(f"this cannot be changed, not even by {call.name}")


def known(inputs: Mapping[str, Any], *path: str) -> Any:
    """Return what stands at a path; None where nothing does or it is not known yet."""
    found: Any = inputs
    for part in path:
        found = found.get(part) if isinstance(found, Mapping) else None
    return None if found is UNKNOWN else found


def _as_given(given: Any, current: Any) -> Any:
    """Return the current value in the form of the given one: without what the cloud added to it."""
    if isinstance(given, Mapping) and isinstance(current, Mapping):
        return {key: _as_given(value, current.get(key)) for key, value in given.items()}
    if isinstance(given, list) and isinstance(current, list) and len(given) == len(current):
        return [_as_given(value, now) for value, now in zip(given, current, strict=True)]
    return current
