"""What a verification left in the cluster."""

from kubernetes import client

from probes.cast import LABEL
from tests.deployments import Deployed


def leftovers(deployed: Deployed) -> list[str]:
    """Name every pod, policy and namespace that carries a verification's label."""
    core, networking = client.CoreV1Api(deployed.api), client.NetworkingV1Api(deployed.api)
    pods = core.list_pod_for_all_namespaces(label_selector=LABEL).items
    policies = networking.list_network_policy_for_all_namespaces(label_selector=LABEL).items
    namespaces = core.list_namespace(label_selector=LABEL).items
    return sorted(
        f"{kind} {each.metadata.namespace or ''}/{each.metadata.name}"
        for kind, found in (("pod", pods), ("policy", policies), ("namespace", namespaces))
        for each in found
    )
