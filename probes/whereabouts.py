"""Which node a pod runs on, and what that node says of itself."""

from collections.abc import Mapping

from kubernetes import client

from probes import cast
from probes.kernel import NodeKernel
from probes.scene import Scene
from probes.vantage import SERVICES, Vantage


def pod_of(scene: Scene, vantage: Vantage) -> client.V1Pod:
    """Return the pod behind a vantage as the API server knows it now; ApiException when it is gone."""
    facts = scene.facts
    if vantage in SERVICES:
        name, namespace = scene.around.names[str(vantage)], facts.application
    elif vantage is Vantage.STRAY:
        name, namespace = cast.NAMES[vantage], facts.application
    elif vantage in (Vantage.COMPUTER, Vantage.NEIGHBOUR):
        name, namespace = cast.NAMES[vantage], facts.computers
    else:
        name, namespace = cast.NAMES[vantage], facts.probes_namespace
    return client.CoreV1Api(scene.operator).read_namespaced_pod(name, namespace)


def kernels(scene: Scene) -> Mapping[str, NodeKernel]:
    """Return the kernel that every node reports, by the node's name."""
    nodes = client.CoreV1Api(scene.operator).list_node().items
    return {
        node.metadata.name: NodeKernel(
            release=str(node.status.node_info.kernel_version), boot=str(node.status.node_info.boot_id)
        )
        for node in nodes
    }


def pods_in(scene: Scene, namespace: str) -> list[client.V1Pod]:
    """Return the pods of a namespace that have a node and have not ended."""
    pods = client.CoreV1Api(scene.operator).list_namespaced_pod(namespace).items
    return [pod for pod in pods if pod.spec.node_name and pod.status.phase not in ("Succeeded", "Failed")]
