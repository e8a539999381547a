"""New computers, many at once, each measuring from its first instruction what it reaches."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from kubernetes import client

from probes import birth, cast
from probes.birth import Birth, Window
from probes.claims.destinations import families
from probes.pods import PodError
from probes.reach import Destination
from probes.scene import Scene
from probes.surroundings import kubernetes_services

KUBELET, SERVICE = 10250, 443
COUNT_SECONDS = 30.0
"""Beyond the time for which they count: a busy node may be slow, a probe must not hang."""


def blocked(scene: Scene) -> list[Destination]:
    """Return listeners that computers must not reach, at least one per address family that pods have.

    The kubelet of a computers' node, which is nearest and so shows the widest window, else an API server. And the API
    server's Service: a node's own firewall may close the kubelet to every pod, which shows nothing of policies.
    """
    around, found = scene.around, []
    nodes = [(node, address) for node in sorted(around.computers_nodes) for address in around.nodes[node]]
    candidates = [Destination(name=f"kubelet of node {n}", address=a, port=KUBELET) for n, a in nodes]
    candidates += [Destination(name="API server", address=a, port=port) for a, port in around.api_servers]
    for family in sorted(families(scene.facts)):
        found += [each for each in candidates if each.family == family][:1]
    # The `kubernetes` Service has an address of the cluster's first family alone.
    service = Destination(name="API server's Service", address=kubernetes_services(scene.facts)[0], port=SERVICE)
    return [*found, service]


def measure(scene: Scene, count: int, seconds: float) -> list[Birth]:
    """Make `count` computers, as many at once as the quota has room for, and let each count for `seconds`.

    PodError when one does not start or does not finish counting.
    """
    line = birth.command([(each.address, each.port) for each in blocked(scene)], seconds)

    def born(number: int) -> Birth:
        name = f"verify-born-{number}"
        with scene.computer(name, line) as pod:
            found = _counted(scene, scene.facts.computers, name, seconds)
            return Birth(windows=found, waited=_waited(scene, pod), started=_started(pod))

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(born, range(count)))


def measure_control(scene: Scene, seconds: float) -> tuple[Window, ...]:
    """Let a pod under the same runtime that no policy selects try the same, until it got through once or for `seconds`.

    PodError when it does not start or does not finish counting.
    """
    line = birth.command([(each.address, each.port) for each in blocked(scene)], seconds, enough=1)
    with _without_policies(scene, "born", line) as name:
        return _counted(scene, scene.facts.probes_namespace, name, seconds)


@contextmanager
def _without_policies(scene: Scene, name: str, line: list[str]) -> Iterator[str]:
    home = scene.pods(scene.facts.probes_namespace)
    if scene.closing.is_set():
        raise PodError("the verification was interrupted")
    try:
        home.start(cast.computer(scene.facts, name, scene.run_id, line))
        yield name
    finally:
        home.delete(name)


def _counted(scene: Scene, namespace: str, name: str, seconds: float) -> tuple[Window, ...]:
    home, deadline = scene.pods(namespace), time.monotonic() + seconds + COUNT_SECONDS
    while True:
        found = birth.windows(home.log(name))
        if found is not None:
            return found
        if time.monotonic() > deadline:
            raise PodError(f"{name} did not finish counting within {seconds + COUNT_SECONDS:.0f} s: {home.log(name)}")
        time.sleep(0.3)


def _waited(scene: Scene, pod: client.V1Pod) -> float | None:
    """Return what the first init container printed; a pod without one was not held back."""
    first = next(iter(pod.spec.init_containers or []), None)
    if first is None:
        return None
    core = client.CoreV1Api(scene.operator)
    return birth.waited(
        str(core.read_namespaced_pod_log(pod.metadata.name, pod.metadata.namespace, container=first.name))
    )


def _started(pod: client.V1Pod) -> float:
    running = pod.status.container_statuses[0].state.running
    return float((running.started_at - pod.metadata.creation_timestamp).total_seconds())
