"""What a verification left in the cluster."""

import time

from kubernetes import client

from probes.cast import LABEL
from tests.deployments import Deployed

SECONDS = 20.0
"""Kubernetes removes a namespace, also an empty one, some seconds after it was asked to."""


def leftovers(deployed: Deployed) -> list[str]:
    """Name what carries a verification's label: pods and policies at once, its namespace once it had time to go."""
    deadline = time.monotonic() + SECONDS
    while (left := _labelled(deployed)) and all(each.startswith("namespace ") for each in left):
        if time.monotonic() > deadline:
            break
        time.sleep(0.2)
    return left


def _labelled(deployed: Deployed) -> list[str]:
    core, networking = client.CoreV1Api(deployed.api), client.NetworkingV1Api(deployed.api)
    pods = core.list_pod_for_all_namespaces(label_selector=LABEL).items
    policies = networking.list_network_policy_for_all_namespaces(label_selector=LABEL).items
    namespaces = core.list_namespace(label_selector=LABEL).items
    return sorted(
        f"{kind} {each.metadata.namespace or ''}/{each.metadata.name}"
        for kind, found in (("pod", pods), ("policy", policies), ("namespace", namespaces))
        for each in found
    )
