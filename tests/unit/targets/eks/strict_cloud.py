"""The recording engine with the stand-in for AWS behind it: what is made has to be what AWS takes, and goes again."""

import json
from typing import Any

from pulumi.runtime import mocks

from tests.providers import lifecycle
from tests.providers.aws import Account, AwsPackage
from tests.providers.call import Call
from tests.providers.resource_type import Resource, ResourceType
from tests.unit.outputs import id_of, outputs_of

CALL = Call(urn="urn", name="thing", preview=False)


class StrictCloud(mocks.Mocks):
    """Everything of the package goes through the checks that the engine would have done; the rest is echoed."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self._package = AwsPackage(account)
        self._made: list[tuple[ResourceType, Resource]] = []

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str, dict[str, Any]]:
        """Make it."""
        if args.typ == "pulumi:providers:aws":
            packed = {name: value for name, value in args.inputs.items() if name != "region"}
            self._package.configure({**args.inputs, **{name: json.loads(value) for name, value in packed.items()}})
        if not args.typ.startswith("aws:"):
            return id_of(args.typ, args.name), {**args.inputs, **outputs_of(args.typ, args.name)}
        kind = self._package.type(args.typ)
        given = dict(args.inputs)
        inputs, failures = lifecycle.check(self._package, kind, given, {}, name=args.name, seed=b"\0" * 8)
        assert failures == [], args.name
        made = lifecycle.create(kind, inputs, CALL)
        self._made.append((kind, Resource(id=made.id, inputs=inputs, outputs=made.outputs)))
        return made.id, dict(made.outputs)

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        """Answer."""
        schema, function = self._package.function(args.token)
        assert schema.check(dict(args.args)) == []
        return function(dict(args.args), CALL), []

    def destroy(self) -> None:
        """Take everything away, the last first."""
        for kind, resource in reversed(self._made):
            lifecycle.delete(kind, resource, CALL)
