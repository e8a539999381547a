"""An invented cluster at DigitalOcean, on the recording engine."""

import functools
from dataclasses import replace
from typing import Any

from components.contracts import Cluster, Network
from components.targets.digitalocean.cluster import DigitalOceanCluster, DigitalOceanClusterArgs
from tests.unit.clouds import digitalocean
from tests.unit.clouds.digitalocean import Answers
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.recorder import Recorder, Registered, record
from tests.unit.stacks.digitalocean_stack import target


def made(answers: Answers | None = None, *, stack: str = "team", **changes: Any) -> tuple[Recorder, Cluster]:
    """Return what a stack declares of its target, and what the target hands on, its network complete."""
    settings, found, known = target(**changes), list[Cluster](), list[Network]()

    def program() -> None:
        args = DigitalOceanClusterArgs(
            stack=stack, settings=settings, secrets=secret_outputs(**secrets_of("digitalocean"))
        )
        cluster = DigitalOceanCluster("cluster", args).cluster
        cluster.network.complete().apply(known.append)
        found.append(cluster)

    recorder = record(program, answers=answers or digitalocean.answers())
    return recorder, replace(found[0], network=known[0])


@functools.cache
def committed() -> Recorder:
    """The committed stack, of which nothing is there yet."""
    return made()[0]


def cluster_of(recorder: Recorder) -> Registered:
    """The managed cluster."""
    (found,) = recorder.of_kind("KubernetesCluster")
    return found


def pools_of(recorder: Recorder) -> dict[str, Registered]:
    """The pools beside the default one, by what they are for."""
    return {item.inputs["labels"]["rakazo-infra/pool"]: item for item in recorder.of_kind("KubernetesNodePool")}
