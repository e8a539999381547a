"""A recording engine: it remembers every registration with its parent, provider, options and secrets.

Limits: nothing is checked against a schema, nothing is compared with an earlier state, transforms and hooks
do not run. What it proves is what the program asked for.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import pulumi
from pulumi.runtime import mocks, resource
from pulumi.runtime.proto import source_pb2

from tests.unit.clouds.refused import AnswerRefusedError
from tests.unit.outputs import Answers, id_of, outputs_of

PROJECT = "rakazo"
STACK = "test"

_SIGNATURE = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"


@dataclass(frozen=True)
class Secret:
    """A value that the engine was told to encrypt."""

    value: Any


@dataclass(frozen=True)
class Registered:
    """One resource, as the program registered it."""

    urn: str
    typ: str
    name: str
    inputs: dict[str, Any]
    """Plain values, with :class:`Secret` around what is secret."""
    provider: str
    """`<urn>::<id>`, or empty for a default provider."""
    parent: str
    dependencies: frozenset[str]
    """URNs that have to exist first, stated or implied by inputs."""
    property_dependencies: dict[str, set[str]]
    """URNs of those whose outputs an input is made of, by the input's name."""
    protect: bool
    retain_on_delete: bool
    ignore_changes: tuple[str, ...]
    delete_before_replace: bool
    hooks: tuple[str, ...] = field(default=())
    """Names of bound hooks, each after its moment: `before_create:gate`."""
    secret_outputs: frozenset[str] = frozenset()
    """Outputs that the engine was told to encrypt."""
    deleted_with: str = ""
    """URN of what takes it along when it is deleted; empty: it is deleted itself."""
    replace_on_changes: tuple[str, ...] = ()
    """Properties whose change makes it a new one."""
    replacement_trigger: Any = None
    """A value whose change makes it a new one."""

    @property
    def kind(self) -> str:
        """The last part of the type token: `NetworkPolicy`."""
        return self.typ.rpartition(":")[2]

    @property
    def metadata(self) -> dict[str, Any]:
        """A Kubernetes object's metadata."""
        return dict(self.inputs.get("metadata", {}))

    @property
    def namespace(self) -> str | None:
        """A Kubernetes object's namespace."""
        return self.metadata.get("namespace")


class Recorder(mocks.MockMonitor):
    """The engine's side of the conversation."""

    def __init__(self, answers: Answers | None = None, cloud: mocks.Mocks | None = None) -> None:
        super().__init__(cloud or _Echo(answers or {}))
        self.seen: list[Registered] = []

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802 - the protocol's name
        """Remember the request and answer as a successful deployment would."""
        untyped: Any = super()
        response = untyped.RegisterResource(request)
        if request.type != "pulumi:pulumi:Stack":
            hooks = tuple(
                f"{moment.name}:{name}"
                for moment, names in request.hooks.ListFields()
                for name in (names if not isinstance(names, str) else [names])
            )
            self.seen.append(
                Registered(
                    urn=response.urn,
                    typ=request.type,
                    name=request.name,
                    inputs=_plain_struct(request.object),
                    provider=request.provider,
                    parent=request.parent,
                    dependencies=frozenset(request.dependencies),
                    property_dependencies={key: {*of.urns} for key, of in request.propertyDependencies.items()},
                    protect=request.protect,
                    retain_on_delete=request.retainOnDelete,
                    ignore_changes=tuple(request.ignoreChanges),
                    delete_before_replace=request.deleteBeforeReplace,
                    hooks=hooks,
                    secret_outputs=frozenset(request.additionalSecretOutputs),
                    deleted_with=request.deletedWith,
                    replace_on_changes=tuple(request.replaceOnChanges),
                    replacement_trigger=_plain(request.replacement_trigger),
                )
            )
        return response

    def ReadResource(self, request: Any) -> Any:  # noqa: N802 - the protocol's name
        """Answer; what is only read is nothing that the program asks for."""
        untyped: Any = super()
        return untyped.ReadResource(request)

    def Invoke(self, request: Any) -> Any:  # noqa: N802 - the protocol's name
        """Ask the echo, which refuses."""
        untyped: Any = super()
        return untyped.Invoke(request)

    def of_kind(self, kind: str) -> list[Registered]:
        """Everything of one kind, such as `NetworkPolicy`."""
        return [resource for resource in self.seen if resource.kind == kind]

    def only(self, kind: str, **metadata: str) -> Registered:
        """Return the one resource of a kind with this metadata; anything but one is a failure."""
        wanted = metadata.items()
        found = [each for each in self.of_kind(kind) if wanted <= each.metadata.items()]
        names = [(resource.kind, resource.metadata) for resource in self.of_kind(kind)]
        assert len(found) == 1, f"expected one {kind} with {metadata}, found {len(found)} among {names}"
        return found[0]

    @property
    def kubernetes(self) -> list[Registered]:
        """Every Kubernetes object; a release of Helm is none."""
        found = (resource for resource in self.seen if resource.typ.startswith("kubernetes:"))
        return [resource for resource in found if "helm.sh" not in resource.typ]


class _Echo(mocks.Mocks):
    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str, dict[str, Any]]:
        return id_of(args.typ, args.name), {**args.inputs, **outputs_of(args.typ, args.name)}

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        if args.token not in self._answers:
            raise AssertionError(f"the program asked a provider for {args.token}, and the test has no answer")
        try:
            return self._answers[args.token](args.args), []
        except AnswerRefusedError as refusal:
            return {}, [("", str(refusal))]


def record(
    program: Callable[[], object],
    *,
    preview: bool = False,
    config: dict[str, str] | None = None,
    answers: Answers | None = None,
    cloud: mocks.Mocks | None = None,
) -> Recorder:
    """Run a program to its end on a recorder of its own; what the program raises is raised here.

    `answers` is what providers say when the program asks them something; nobody is asked unless a test has answers.
    `cloud` stands behind all of it, where a test has one.
    """
    recorder = Recorder(answers, cloud)

    def run() -> None:
        program()

    # The SDK tells the engine from which lines it was called; finding them out is a quarter of a deployment's time.
    nowhere = mock.patch.object(resource, "_get_stack_trace", source_pb2.StackTrace)
    with _event_loops(), nowhere:
        mocks.set_mocks(recorder.mocks, project=PROJECT, stack=STACK, preview=preview, monitor=recorder)
        pulumi.runtime.set_all_config(config or {}, [key for key in (config or {}) if "secret" in key])
        to_its_end: Any = pulumi.runtime.test
        to_its_end(run)()
    return recorder


@contextmanager
def _event_loops() -> Iterator[None]:
    """Give this thread an event loop, and one to a thread that answers; the SDK would make many and close none."""
    asking, answering = asyncio.new_event_loop(), asyncio.new_event_loop()
    asking.set_default_executor(ThreadPoolExecutor(1, "engine", asyncio.set_event_loop, (answering,)))
    for loop in (asking, answering):  # a refusal leaves hundreds of unread futures, and to log each takes seconds
        loop.set_exception_handler(lambda _loop, _context: None)
    asyncio.set_event_loop(asking)
    try:
        yield
    finally:
        _empty(asking)
        asking.run_until_complete(asking.shutdown_default_executor())
        _empty(answering)
        asyncio.set_event_loop(None)
        asking.close()
        answering.close()


def _empty(loop: asyncio.AbstractEventLoop) -> None:
    """End what a refused program left waiting; it would complain in some later test."""
    for task in (waiting := asyncio.all_tasks(loop)):
        task.cancel()
    if waiting:
        loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar below a value with the path that leads to it; a secret is a leaf."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    else:
        yield path, value


def _plain_struct(struct: Any) -> dict[str, Any]:
    return {key: _plain(value) for key, value in struct.fields.items()}


def _plain(value: Any) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        fields = value.struct_value.fields
        if _SIGNATURE in fields and fields[_SIGNATURE].string_value == _SECRET:
            return Secret(_plain(fields["value"]))
        return _plain_struct(value.struct_value)
    if kind == "list_value":
        return [_plain(item) for item in value.list_value.values]
    if kind == "number_value" and value.number_value.is_integer():
        return int(value.number_value)
    return None if kind in (None, "null_value") else getattr(value, str(kind))
