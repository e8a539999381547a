"""What all types of AWS have in common: a place in the account, tags, and drift."""

import copy
from collections.abc import Mapping
from typing import Any, ClassVar

from tests.providers.aws.account import Account
from tests.providers.aws.blank import fill
from tests.providers.aws.replacements import REPLACES, UNORDERED
from tests.providers.call import Call
from tests.providers.resource_type import Created, Resource, ResourceType
from tests.providers.values import Properties


class AwsType(ResourceType):
    """A type whose things are in `account.objects` under `kind`."""

    kind: ClassVar[str]
    prefix: ClassVar[str] = ""
    """Of ids that AWS makes up; a type that has none says itself what its ids are."""

    def __init_subclass__(cls) -> None:
        if "kind" not in vars(cls):  # a base of several types
            return
        cls.replaces = REPLACES[cls.kind]
        cls.unordered = UNORDERED.get(cls.kind, frozenset())

    def __init__(self, account: Account) -> None:
        self.account = account

    def identify(self, inputs: Properties) -> str:
        """Return the id of a new thing."""
        return self.account.new_id(self.prefix)

    def refuse(self, inputs: Properties) -> None:
        """Raise what AWS says to a thing that it does not take; called with the lock, for changed ones too."""

    def refuse_change(self, old: Properties, inputs: Properties) -> None:
        """Raise what AWS says to this change."""

    def refuse_removal(self, thing: Properties) -> None:
        """Raise what AWS says to the removal of a thing that nothing else names."""

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        """Return what AWS decides about a thing, beside its ARN."""
        return {}

    def settle(self, identifier: str, thing: Properties) -> None:
        """Do what follows from a new thing; UnfinishedError when it is there and does not work."""

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the thing."""
        with self.account.lock:
            self.refuse(inputs)
            identifier = self.identify(inputs)
            thing = self._whole(identifier, inputs)
            self.account.add(self.kind, identifier, thing)
            self.settle(identifier, thing)
            return Created(id=identifier, outputs=copy.deepcopy(thing))

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return the thing as the account has it, and inputs that would make it so."""
        with self.account.lock:
            thing = self.account.all(self.kind).get(resource.id)
            if thing is None:
                return None
            outputs = copy.deepcopy(thing)
        inputs = {name: _as_given(value, outputs.get(name)) for name, value in resource.inputs.items()}
        return Resource(id=resource.id, inputs=inputs, outputs=outputs)

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change the thing."""
        with self.account.lock:
            thing = self.account.must(self.kind, old.id)
            self.refuse_change(thing, inputs)
            self.refuse(inputs)
            kept = {name: value for name, value in thing.items() if name not in self.schema.inputs}
            changed = {**kept, **self._whole(old.id, inputs, kept)}
            thing.clear()
            thing.update(changed)
            return copy.deepcopy(thing)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the thing, once nothing names it."""
        with self.account.lock:
            self.refuse_removal(self.account.must(self.kind, resource.id))
            self.account.remove(self.kind, resource.id)

    def _whole(self, identifier: str, inputs: Properties, kept: Mapping[str, Any] | None = None) -> Properties:
        account = self.account
        service = self.token.split(":")[1].split("/")[0]
        named, tags = inputs.get("name", identifier), inputs.get("tags") or {}
        own: Properties = {
            "arn": f"arn:aws:{service}:{account.region}:{account.number}:{self.kind.replace(' ', '-')}/{named}",
            "ownerId": account.number,
            "region": account.region,
            # A group of instances has a list of them, and nothing of the provider's.
            "tagsAll": {**account.default_tags, **tags} if isinstance(tags, Mapping) else {},
        }
        outputs = {name: value for name, value in own.items() if name in self.schema.outputs}
        outputs = {**(kept or {}), **outputs, **inputs, **self.computed(identifier, inputs)}
        return fill(outputs, self.schema.outputs, self.schema.always)


def _as_given(given: Any, current: Any) -> Any:
    """Return the current value in the form of the given one: without what AWS added to it."""
    if isinstance(given, Mapping) and isinstance(current, Mapping):
        return {key: _as_given(value, current.get(key)) for key, value in given.items()}
    if isinstance(given, list) and isinstance(current, list) and len(given) == len(current):
        return [_as_given(value, now) for value, now in zip(given, current, strict=True)]
    return current
