"""An invented cluster at Google, on the recording engine."""

import functools
from typing import Any

from components.contracts import Cluster
from components.targets.gke.cluster import GkeCluster, GkeClusterArgs
from stacks.runtime import GvisorRuntime, Runtime
from tests.unit.clouds import gke
from tests.unit.recorder import Recorder, Registered, record
from tests.unit.stacks.gke_stack import target

GVISOR = GvisorRuntime(kind="gvisor")


def made(
    answers: gke.Answers | None = None, *, stack: str = "team", runtime: Runtime = GVISOR, **changes: Any
) -> tuple[Recorder, Cluster]:
    """Return what a stack makes at Google, and what it tells the stages after it."""
    settings, found = target(**changes), list[Cluster]()

    def program() -> None:
        found.append(GkeCluster("cluster", GkeClusterArgs(stack=stack, settings=settings, runtime=runtime)).cluster)

    return record(program, answers=answers or gke.answers()), found[0]


@functools.cache
def committed() -> Recorder:
    """The committed stack file's cluster."""
    return made()[0]


def cluster(recorder: Recorder) -> Registered:
    """Return the cluster itself, whose component and provider are called so too."""
    (found,) = recorder.of_kind("Cluster")
    return found
