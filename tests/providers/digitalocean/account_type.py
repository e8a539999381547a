"""What all types of DigitalOcean have in common: a place in the account, and drift."""

import copy
from typing import Any, ClassVar

from tests.providers.call import Call
from tests.providers.digitalocean.account import Account
from tests.providers.digitalocean.replacements import REPLACES, UNORDERED
from tests.providers.resource_type import Resource, ResourceType
from tests.providers.values import Properties


class AccountType(ResourceType):
    """A type whose things are in `account.objects` under `kind`."""

    kind: ClassVar[str]
    named = True

    def __init_subclass__(cls) -> None:
        cls.replaces = REPLACES[cls.kind]
        cls.unordered = UNORDERED.get(cls.kind, frozenset())

    def __init__(self, account: Account) -> None:
        self.account = account

    def outputs(self, identifier: str) -> Properties:
        """Return what a thing is now, in the SDK's names; called with the account's lock."""
        return copy.deepcopy(self.account.must(self.kind, identifier))

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return the thing as the account has it, and inputs that would make it so."""
        with self.account.lock:
            if resource.id not in self.account.all(self.kind):
                return None
            outputs = self.outputs(resource.id)
        inputs = {name: _as_given(value, outputs.get(name)) for name, value in resource.inputs.items()}
        return Resource(id=resource.id, inputs=inputs, outputs=outputs)


def _as_given(given: Any, current: Any) -> Any:
    """Return the current value in the form of the given one: without what the cloud added to it."""
    if isinstance(given, dict) and isinstance(current, dict):
        return {key: _as_given(value, current.get(key)) for key, value in given.items()}
    return current
