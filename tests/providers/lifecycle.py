"""The life of a resource, as the engine asks for it: the same for every type, and without the protocol."""

from dataclasses import dataclass
from typing import Any

from tests.providers.call import Call
from tests.providers.difference import Kind, difference, forcing, root
from tests.providers.failure import Failure
from tests.providers.package import Package
from tests.providers.resource_type import Created, Resource, ResourceType
from tests.providers.values import Properties, Secret, revealed, wrapped_like

DEFAULTS = "__defaults"
"""Where a bridged provider notes which inputs it filled in itself."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What a deployment would do to a resource."""

    changes: dict[str, Kind]
    """Path to kind."""
    replaces: frozenset[str]
    """Top-level inputs that force a new resource."""
    deletes_first: bool
    """What has a name that the program chose goes before the new one comes, also where that one has another name.

    So say bridged providers (pulumi-terraform-bridge, nameRequiresDeleteBeforeReplace); the program's own
    `delete_before_replace` goes above it.
    """


def check(
    package: Package, kind: ResourceType, news: Properties, olds: Properties, *, name: str, seed: bytes
) -> tuple[Properties, list[Failure]]:
    """Return the inputs as the provider completes them, secrets still wrapped, and what is wrong with them."""
    inputs, failures = kind.schema.check(_without_notes(news), coerces=package.coerces)
    if failures:
        return news, failures
    inputs = kind.complete(inputs)
    if kind.named:
        inputs |= _named(inputs, olds, name, seed)
    return inputs, kind.check(revealed(_without_notes(inputs)))


def compare(kind: ResourceType, old: Properties, new: Properties) -> Comparison:
    """Compare two sets of inputs."""
    changes = difference(old, new, kind.unordered)
    replaces = forcing(changes, kind.forced(revealed(old), revealed(new)))
    chosen = kind.named and "name" not in new.get(DEFAULTS, [])
    return Comparison(
        changes=changes,
        replaces=replaces,
        deletes_first=bool(replaces) and chosen,
    )


def create(kind: ResourceType, inputs: Properties, call: Call) -> Created:
    """Make the resource, or say what a preview of it shows."""
    plain = revealed(_without_notes(inputs))
    if call.preview:
        return Created(id="", outputs=_wrapped(kind, kind.foreseen(plain, None, frozenset(plain)), inputs))
    made = kind.create(plain, call)
    return Created(id=made.id, outputs=_wrapped(kind, made.outputs, inputs))


def read(kind: ResourceType, resource: Resource, call: Call) -> Resource | None:
    """Return the resource as it is, secrets wrapped as they were."""
    found = kind.read(_plain(resource), call)
    if found is None:
        return None
    notes = {name: value for name, value in resource.inputs.items() if name.startswith("__")}
    inputs = {**wrapped_like(found.inputs, resource.inputs), **notes}
    return Resource(id=found.id, inputs=inputs, outputs=_wrapped(kind, found.outputs, inputs))


def update(kind: ResourceType, old: Resource, inputs: Properties, call: Call) -> Properties:
    """Change the resource, or say what a preview of that shows; return its outputs."""
    plain = revealed(_without_notes(inputs))
    if call.preview:
        changed = frozenset(map(root, difference(old.inputs, inputs, kind.unordered)))
        return _wrapped(kind, kind.foreseen(plain, _plain(old), changed), inputs)
    return _wrapped(kind, kind.update(_plain(old), plain, call), inputs)


def delete(kind: ResourceType, resource: Resource, call: Call) -> None:
    """Remove the resource."""
    kind.delete(_plain(resource), call)


def wrapped_outputs(kind: ResourceType, outputs: Properties, inputs: Properties) -> Properties:
    """Return what a failed creation left, with its secrets wrapped."""
    return _wrapped(kind, outputs, inputs)


def _named(inputs: Properties, olds: Properties, name: str, seed: bytes) -> Properties:
    """Keep the name that was made up before; the seed of a preview differs from the one of the deployment."""
    if "name" in inputs:
        return {DEFAULTS: []}
    if "name" in olds.get(DEFAULTS, []) and "name" in olds:
        return {DEFAULTS: ["name"], "name": olds["name"]}
    return {DEFAULTS: ["name"], "name": f"{name}-{seed.hex()[:7]}"}


def _wrapped(kind: ResourceType, outputs: Properties, inputs: Properties) -> Properties:
    wrapped = wrapped_like(outputs, _without_notes(inputs))
    return {name: _as_secret(value) if name in kind.secret_outputs else value for name, value in wrapped.items()}


def _as_secret(value: Any) -> Secret:
    return value if isinstance(value, Secret) else Secret(value)


def _plain(resource: Resource) -> Resource:
    return Resource(
        id=resource.id, inputs=revealed(_without_notes(resource.inputs)), outputs=revealed(resource.outputs)
    )


def _without_notes(properties: Properties) -> Properties:
    return {name: value for name, value in properties.items() if not name.startswith("__")}
