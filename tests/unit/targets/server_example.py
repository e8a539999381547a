"""An invented cluster on machines over SSH, on the recording engine."""

import functools
from typing import Any

from components.contracts import Cluster
from components.targets.server import ServerCluster, ServerClusterArgs
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.recorder import Recorder, Registered, Secret, record
from tests.unit.stacks.server_stack import machine, target

FIVE = [machine(number, pool="system") for number in (1, 2, 3)]
FIVE += [machine(number, role="agent", pool="computers") for number in (4, 5)]


def made(**changes: Any) -> tuple[Recorder, Cluster]:
    settings, found = target(**changes), list[Cluster]()

    def program() -> None:
        secrets = secret_outputs(**secrets_of("server"))
        args = ServerClusterArgs(stack="team", settings=settings, runtime="gvisor", secrets=secrets)
        found.append(ServerCluster("cluster", args).cluster)

    return record(program), found[0]


@functools.cache
def five() -> Recorder:
    """Three servers and two machines for computers."""
    return made(machines=FIVE)[0]


def commands(recorder: Recorder) -> list[Registered]:
    return recorder.of_kind("Command")


def provider(recorder: Recorder) -> Registered:
    (found,) = [item for item in recorder.seen if item.typ == "pulumi:providers:kubernetes"]
    return found


def connection(command: Registered) -> dict[str, Any]:
    hidden = command.inputs["connection"]
    assert isinstance(hidden, Secret)
    told: dict[str, Any] = hidden.value
    return told
