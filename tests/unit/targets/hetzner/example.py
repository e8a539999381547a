"""An invented cluster at Hetzner, on the recording engine."""

import functools
from typing import Any

from components.contracts import Cluster
from components.targets.hetzner.cluster import HetznerCluster, HetznerClusterArgs
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.outputs import Answers, hetzner
from tests.unit.recorder import Recorder, Registered, record
from tests.unit.stacks.hetzner_stack import target

NODES = ("server-1", "server-2", "server-3", "computers-1", "computers-2")


def made(
    answers: Answers | None = None, *, stack: str = "team", name: str = "hetzner-ha", **changes: Any
) -> tuple[Recorder, Cluster]:
    settings, found = target(name, **changes), list[Cluster]()

    def program() -> None:
        secrets = secret_outputs(**secrets_of("hetzner"))
        args = HetznerClusterArgs(stack=stack, settings=settings, runtime="gvisor", secrets=secrets)
        found.append(HetznerCluster("cluster", args).cluster)

    return record(program, answers=answers or hetzner()), found[0]


@functools.cache
def five() -> Recorder:
    """Three servers and two machines for computers."""
    return made()[0]


def servers(recorder: Recorder) -> dict[str, Registered]:
    return {item.inputs["name"].removeprefix("rakazo-team-"): item for item in recorder.of_kind("Server")}
