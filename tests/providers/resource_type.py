"""What a stand-in has to say of one resource type; the protocol around it is the same for all."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.schema import ResourceSchema, resource_schema
from tests.providers.values import UNKNOWN, Properties


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A resource that is there: what identifies it, what it was asked to be, what it is."""

    id: str
    inputs: Properties
    outputs: Properties


@dataclass(frozen=True, kw_only=True)
class Created:
    """What a creation made."""

    id: str
    """Never empty; the engine takes an empty one for "does not exist"."""
    outputs: Properties


class ResourceType(ABC):
    """One type of one package. All properties that it sees are in clear; the protocol wraps secrets again."""

    token: ClassVar[str]
    replaces: ClassVar[frozenset[str]] = frozenset()
    """Inputs whose change makes a new resource; also parts of them, as `nodeConfig.sandboxConfig`."""
    unordered: ClassVar[frozenset[str]] = frozenset()
    """Lists in which order means nothing, as `rules[].sourceIps`."""
    secret_outputs: ClassVar[frozenset[str]] = frozenset()
    """Outputs that are secret whatever went in."""
    absent: ClassVar[frozenset[str]] = frozenset()
    """Outputs that the real provider may leave out although the SDK says that they are there."""
    named: ClassVar[bool] = False
    """Whether the type has a name that the provider makes up when the program gives none."""

    @property
    def schema(self) -> ResourceSchema:
        """What the SDK says of the type."""
        return resource_schema(self.token)

    def complete(self, inputs: Properties) -> Properties:
        """Return the inputs with the defaults that the provider fills in; secrets may still be wrapped."""
        return inputs

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Return what is wrong beyond the types; anything may still be unknown."""
        return []

    def forced(self, old: Properties, new: Properties) -> frozenset[str]:
        """Return the inputs whose change from `old` to `new` makes a new resource; a table says it for most types."""
        return self.replaces

    def unknown_after(self, changed: frozenset[str]) -> frozenset[str]:
        """Return the outputs that nobody knows before an update of these inputs."""
        return frozenset()

    def foreseen(self, inputs: Properties, old: Resource | None, changed: frozenset[str]) -> Properties:
        """Return the outputs that a preview shows: what is given, and the unknown for what the cloud decides."""
        if old is None:
            return {**dict.fromkeys(self.schema.always, UNKNOWN), **inputs}
        # An input that the program no longer gives is the cloud's to decide; one that it never gave stays as it is.
        kept = {name: value for name, value in old.outputs.items() if name in inputs or name not in old.inputs}
        given = {name: inputs[name] for name in changed if name in inputs}
        return {**kept, **given, **dict.fromkeys(self.unknown_after(changed), UNKNOWN)}

    @abstractmethod
    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the resource. RefusedError: nothing was made. UnfinishedError: it is there and not as asked."""

    @abstractmethod
    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return the resource as it is now, inputs included, or None when it is gone.

        The engine finds drift by comparing these inputs with the ones of the state. For an import, or for
        `X.get(...)`, there is nothing but the id.
        """

    @abstractmethod
    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change the resource and return its outputs; never asked for a change of an input in `replaces`."""

    @abstractmethod
    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the resource; RefusedError keeps it in the state."""
