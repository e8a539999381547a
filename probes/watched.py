"""Greedy computers: started, and watched until somebody ends them."""

import contextlib
import time
from dataclasses import dataclass

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.greed import GO, MIB, booked_memory, last_figure
from probes.pods import PodError
from probes.scene import Scene
from probes.whereabouts import pods_in
from stacks.quantity import size_bytes

KILLED = 137
"""128 and the number of SIGKILL."""
STOP_SECONDS = 90.0
EVICT_SECONDS = 90.0
"""The kubelet measures disks every ten seconds, and looks at what it measured every ten."""
TOLD_SECONDS = 15.0
"""For the kubelet to say that a container has ended."""
LOOK_SECONDS = 0.3
BEYOND = 1.25
"""A computer that holds so many times its limit is not going to be stopped."""


@dataclass(frozen=True, kw_only=True)
class End:
    """How a greedy computer ended."""

    seen: str
    by_limit: bool
    figure: int
    """MiB that it had taken."""


def go(scene: Scene, pod: client.V1Pod) -> None:
    """Let a greedy computer begin, now that somebody watches; PodError when it cannot be told.

    One that is quick is ended before the command that told it has ended, and takes that along.
    """
    name, deadline = pod.metadata.name, time.monotonic() + TOLD_SECONDS
    ran = scene.computers.execute(name, ["touch", GO])
    while ran.exit_code and not _ended(_read(scene, name)):
        if time.monotonic() > deadline:
            raise PodError(f"touch {GO} in {name}: {ran.output}")
        time.sleep(LOOK_SECONDS)


def harm(scene: Scene, pod: client.V1Pod, limit: int) -> str:
    """Return why taking `limit` bytes would harm other computers of the node; empty when it would not.

    Computers may book less than their limit; what nobody has booked is free to be taken.
    """
    name = pod.spec.node_name
    (node,) = [each for each in client.CoreV1Api(scene.operator).list_node().items if each.metadata.name == name]
    pods = [each for each in pods_in(scene, scene.facts.computers) if each.spec.node_name == name]
    free = size_bytes(node.status.allocatable["memory"]) - sum(booked_memory(each) for each in pods)
    missing = limit - booked_memory(pod) - free
    if missing <= 0:
        return ""
    return (
        f"not tried: it would take {missing // MIB} MiB that other computers on node {name} have booked; stop some "
        "in Rakazo and verify again"
    )


def stopped(scene: Scene, pod: client.V1Pod, limit: int) -> End:
    """Watch a computer that takes memory until its first container ends, or holds far more than `limit` bytes."""
    name, held, deadline = pod.metadata.name, 0, time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        held = max(held, _figure(scene, name))
        found = _read(scene, name)
        ended = _ended(found)
        if ended:
            restarted = bool(found.status.container_statuses[0].restart_count)
            held = max(held, _figure(scene, name, previous=restarted))
            return End(
                seen=f"stopped: {ended.reason}, exit code {ended.exit_code}",
                by_limit=ended.reason == "OOMKilled" or ended.exit_code == KILLED,
                figure=held,
            )
        if held * MIB > BEYOND * limit:
            return End(seen=f"holds {held} MiB and lives", by_limit=False, figure=held)
        time.sleep(LOOK_SECONDS)
    raise PodError(f"{name} was not stopped within {STOP_SECONDS:.0f} s: {scene.computers.explain(name)}")


def evicted(scene: Scene, pod: client.V1Pod) -> End:
    """Watch a computer that fills its disk until the kubelet ends it."""
    name, written, begin = pod.metadata.name, 0, time.monotonic()
    while time.monotonic() - begin < EVICT_SECONDS:
        written = max(written, _figure(scene, name))
        status = _read(scene, name).status
        if status.phase == "Failed":
            after = f"{status.reason} after {time.monotonic() - begin:.0f} s: {status.message}"
            return End(seen=after, by_limit=status.reason == "Evicted", figure=written)
        time.sleep(LOOK_SECONDS)
    return End(seen=f"lives {EVICT_SECONDS:.0f} s later", by_limit=False, figure=written)


def _read(scene: Scene, name: str) -> client.V1Pod:
    return client.CoreV1Api(scene.operator).read_namespaced_pod(name, scene.facts.computers)


def _ended(pod: client.V1Pod) -> client.V1ContainerStateTerminated | None:
    """Return how the first container ended, also when it runs again; None when it has not."""
    status = pod.status.container_statuses[0]
    return status.state.terminated or status.last_state.terminated


def _figure(scene: Scene, name: str, *, previous: bool = False) -> int:
    """Return what the program printed last; 0 where there is no log, as between two starts of a container."""
    core = client.CoreV1Api(scene.operator)
    with contextlib.suppress(ApiException):
        return last_figure(str(core.read_namespaced_pod_log(name, scene.facts.computers, previous=previous)))
    return 0
