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
    """Let a greedy computer begin, now that somebody watches; PodError when it cannot be told."""
    ran = scene.computers.execute(pod.metadata.name, ["touch", GO])
    if ran.exit_code:
        raise PodError(f"touch {GO} in {pod.metadata.name}: {ran.output}")


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
        status = _read(scene, name).status.container_statuses[0]
        ended = status.state.terminated or status.last_state.terminated
        if ended:
            held = max(held, _figure(scene, name, previous=bool(status.restart_count)))
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


def _figure(scene: Scene, name: str, *, previous: bool = False) -> int:
    """Return what the program printed last; 0 where there is no log, as between two starts of a container."""
    core = client.CoreV1Api(scene.operator)
    with contextlib.suppress(ApiException):
        return last_figure(str(core.read_namespaced_pod_log(name, scene.facts.computers, previous=previous)))
    return 0
