"""The resource provider protocol, for every package at once."""

# ruff: noqa: N802 - the protocol's own names

import json
from collections.abc import Mapping
from typing import Any

from google.protobuf import empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from tests.providers import lifecycle
from tests.providers.answers import answering, unfinished
from tests.providers.calls import Calls
from tests.providers.difference import difference, root
from tests.providers.failure import Failure
from tests.providers.lifecycle import Comparison
from tests.providers.package import Package
from tests.providers.refused import RefusedError, UnfinishedError
from tests.providers.resource_type import Resource, ResourceType
from tests.providers.schema import provider_schema
from tests.providers.values import Properties, decode, encode, revealed

VERSION = "999.0.0"
"""At least the SDK's of every package, or the CLI warns."""

_KINDS: Mapping[tuple[str, bool], Any] = {
    ("ADD", False): provider_pb2.PropertyDiff.ADD,
    ("ADD", True): provider_pb2.PropertyDiff.ADD_REPLACE,
    ("DELETE", False): provider_pb2.PropertyDiff.DELETE,
    ("DELETE", True): provider_pb2.PropertyDiff.DELETE_REPLACE,
    ("UPDATE", False): provider_pb2.PropertyDiff.UPDATE,
    ("UPDATE", True): provider_pb2.PropertyDiff.UPDATE_REPLACE,
}


class Servicer(provider_pb2_grpc.ResourceProviderServicer):
    """Answers the engine's requests. What it does not define is answered as unimplemented, which the CLI accepts."""

    def __init__(self, packages: Mapping[str, Package], calls: Calls) -> None:
        self._packages = packages
        self._calls = calls
        self.faults: list[str] = []
        """Mistakes of the stand-ins themselves; a test that finds one here has found nothing out about its subject."""

    @answering
    def Handshake(self, request: Any, context: Any) -> Any:
        self._calls.engine_is(context.peer(), request.engine_address)
        return provider_pb2.ProviderHandshakeResponse(accept_secrets=True)

    @answering
    def Attach(self, request: Any, context: Any) -> Any:
        self._calls.engine_is(context.peer(), request.address)
        return empty_pb2.Empty()

    @answering
    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        return plugin_pb2.PluginInfo(version=VERSION)

    @answering
    def CheckConfig(self, request: Any, context: Any) -> Any:
        package = self._package(request.type)
        # Default providers get the SDK's version as a property.
        given = {name: _unpacked(value) for name, value in decode(request.news).items() if name != "version"}
        _, failures = provider_schema(package.name).check(given, coerces=True)
        return provider_pb2.CheckResponse(inputs=request.news, failures=_failures(failures))

    @answering
    def DiffConfig(self, request: Any, context: Any) -> Any:
        # Another token is another way to the same project: an update, never a replacement of what is in it.
        changes = difference(decode(request.old_inputs), decode(request.news))
        return _difference(Comparison(changes=changes, replaces=frozenset(), deletes_first=False))

    @answering
    def Configure(self, request: Any, context: Any) -> Any:
        configuration = {name: _unpacked(value) for name, value in revealed(decode(request.args)).items()}
        self._package(request.type).configure(configuration)
        return provider_pb2.ConfigureResponse(acceptSecrets=True, supportsPreview=True)

    @answering
    def Invoke(self, request: Any, context: Any) -> Any:
        schema, function = self._package(request.tok).function(request.tok)
        arguments = revealed(decode(request.args))
        if failures := schema.check(arguments):
            return provider_pb2.InvokeResponse(failures=_failures(failures))
        with self._calls.under_way(_Asked(request), context) as call:
            answer = function(arguments, call)
        self._note(request.tok, schema.fitting(answer))
        response = provider_pb2.InvokeResponse()
        getattr(response, "return").CopyFrom(encode(answer))
        return response

    @answering
    def Check(self, request: Any, context: Any) -> Any:
        package = self._package(request.type)
        inputs, failures = lifecycle.check(
            package,
            package.type(request.type),
            decode(request.news),
            decode(request.olds),
            name=request.name,
            seed=request.randomSeed,
        )
        return provider_pb2.CheckResponse(inputs=encode(inputs), failures=_failures(failures))

    @answering
    def Diff(self, request: Any, context: Any) -> Any:
        found = lifecycle.compare(self._type(request), decode(request.old_inputs), decode(request.news))
        return _difference(found)

    @answering
    def Create(self, request: Any, context: Any) -> Any:
        kind, inputs = self._type(request), decode(request.properties)
        with self._calls.under_way(request, context) as call:
            try:
                made = lifecycle.create(kind, inputs, call)
            except UnfinishedError as error:
                self._unfinished(context, kind, inputs, error)
        if not call.preview:
            self._note(kind.token, kind.schema.fitting(revealed(made.outputs), kind.absent))
        return provider_pb2.CreateResponse(id=made.id, properties=encode(made.outputs))

    @answering
    def Read(self, request: Any, context: Any) -> Any:
        kind = self._type(request)
        resource = Resource(id=request.id, inputs=decode(request.inputs), outputs=decode(request.properties))
        with self._calls.under_way(request, context) as call:
            found = lifecycle.read(kind, resource, call)
        if found is None:
            return provider_pb2.ReadResponse(id="")
        return provider_pb2.ReadResponse(id=found.id, inputs=encode(found.inputs), properties=encode(found.outputs))

    @answering
    def Update(self, request: Any, context: Any) -> Any:
        kind, news = self._type(request), decode(request.news)
        old = Resource(id=request.id, inputs=decode(request.old_inputs), outputs=decode(request.olds))
        with self._calls.under_way(request, context) as call:
            try:
                outputs = lifecycle.update(kind, old, news, call)
            except UnfinishedError as error:
                self._unfinished(context, kind, news, error)
        if not call.preview:
            self._note(kind.token, kind.schema.fitting(revealed(outputs), kind.absent))
        return provider_pb2.UpdateResponse(properties=encode(outputs))

    @answering
    def Delete(self, request: Any, context: Any) -> Any:
        kind = self._type(request)
        resource = Resource(id=request.id, inputs=decode(request.old_inputs), outputs=decode(request.properties))
        with self._calls.under_way(request, context) as call:
            lifecycle.delete(kind, resource, call)
        return empty_pb2.Empty()

    @answering
    def Cancel(self, request: Any, context: Any) -> Any:
        self._calls.cancel(context.peer())
        return empty_pb2.Empty()

    def _package(self, token: str) -> Package:
        name = token.rpartition(":")[2] if token.startswith("pulumi:providers:") else token.partition(":")[0]
        if name not in self._packages:
            raise RefusedError(f"there is no stand-in for {name}; there are {', '.join(sorted(self._packages))}")
        return self._packages[name]

    def _type(self, request: Any) -> ResourceType:
        return self._package(request.type).type(request.type)

    def _note(self, token: str, failures: list[Failure]) -> None:
        self.faults += [f"{token}: the stand-in's own {each.path}: {each.reason}" for each in failures]

    @staticmethod
    def _unfinished(context: Any, kind: ResourceType, inputs: Properties, error: UnfinishedError) -> None:
        outputs = lifecycle.wrapped_outputs(kind, dict(error.outputs), inputs)
        unfinished(context, resource_id=error.resource_id, inputs=inputs, outputs=outputs, reason=str(error))


class _Asked:
    """A function has no resource: what it says is shown at the stack."""

    urn = ""

    def __init__(self, request: Any) -> None:
        self.name = request.tok
        self.preview = request.preview


def _failures(failures: list[Failure]) -> list[Any]:
    return [provider_pb2.CheckFailure(property=each.path, reason=each.reason) for each in failures]


def _difference(found: Comparison) -> Any:
    response = provider_pb2.DiffResponse(
        changes=provider_pb2.DiffResponse.DIFF_SOME if found.changes else provider_pb2.DiffResponse.DIFF_NONE,
        diffs=sorted({root(path) for path in found.changes}),
        replaces=sorted(found.replaces),
        deleteBeforeReplace=found.deletes_first,
        hasDetailedDiff=True,
    )
    for path, kind in found.changes.items():
        number = _KINDS[kind, root(path) in found.replaces]
        response.detailedDiff[path].CopyFrom(provider_pb2.PropertyDiff(kind=number, inputDiff=True))
    return response


def _unpacked(value: Any) -> Any:
    """Return what the SDK packs into JSON because it is no text: a provider's configuration was text alone once."""
    return json.loads(value) if isinstance(value, str) and value.startswith(("[", "{")) else value
