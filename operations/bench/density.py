"""How many computers the real scheduler puts on a declared node of 8 vCPU and 16 GB."""

import time
from typing import Any

from kubernetes import client
from rich.console import Console

from local.stack.folder import StackFolder
from local.stack.kubernetes_client import api_client
from operations.bench import cluster
from operations.bench.figure import Figure

NAMESPACE = "bench-density"
NODE = "declared"
ALLOCATABLE = {"cpu": "7800m", "memory": "14500Mi", "pods": "110", "ephemeral-storage": "100Gi"}
"""What is left for pods of 8 vCPU and 16 GB after the kubelet's and the system's share."""
OVERHEAD = {"cpu": "50m", "memory": "96Mi"}
"""Of the gVisor runtime, as stacks.runtime has it."""
LIMITS = {"cpu": "2", "memory": "4Gi"}
RESERVE = {"cpu": "100m", "memory": "384Mi"}
"""What an idle desktop with Chromium uses under gVisor, rounded up (measured: 310 MiB)."""
TRIED = 60


def measure(console: Console) -> list[Figure]:
    """Create more pods than fit, twice, and count those that the scheduler placed."""
    console.print("density: the real scheduler on a declared node")
    api = api_client(StackFolder(name=cluster.NAME).kubeconfig)
    core = client.CoreV1Api(api)
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    _declare_node(core)
    client.NodeV1Api(api).create_runtime_class(
        {"metadata": {"name": NAMESPACE}, "handler": "runsc", "overhead": {"podFixed": OVERHEAD}}
    )
    try:
        by_limits = _placed(core, "limits", {"limits": LIMITS})
        by_reserve = _placed(core, "reserve", {"limits": LIMITS, "requests": RESERVE})
    finally:
        core.delete_node(NODE)
        client.NodeV1Api(api).delete_runtime_class(NAMESPACE)
        core.delete_namespace(NAMESPACE, grace_period_seconds=0)
    return [
        Figure(name="computers of 2 CPU, 4 GiB by limits alone", unit="", runs=(by_limits,)),
        Figure(name="the same with `reserve: {cpu: 100m, memory: 384Mi}`", unit="", runs=(by_reserve,)),
        Figure(name="with reserve ÷ by limits", unit="x", runs=(by_reserve / by_limits,)),
    ]


def _declare_node(core: client.CoreV1Api) -> None:
    core.create_node({"metadata": {"name": NODE, "labels": {"rakazo-infra/density": "declared"}}})
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    ready = {"type": "Ready", "status": "True", "reason": "Declared", "message": "", "lastHeartbeatTime": now}
    core.patch_node_status(
        NODE,
        {
            "status": {
                "capacity": ALLOCATABLE,
                "allocatable": ALLOCATABLE,
                "conditions": [{**ready, "lastTransitionTime": now}],
            }
        },
    )


def _placed(core: client.CoreV1Api, name: str, resources: dict[str, Any]) -> float:
    for number in range(TRIED):
        core.create_namespaced_pod(NAMESPACE, _pod(f"{name}-{number}", resources))
    pods = _decided(core, name)
    placed = sum(1 for pod in pods if pod.spec.node_name)
    for pod in pods:
        core.delete_namespaced_pod(pod.metadata.name, NAMESPACE, grace_period_seconds=0)
    return float(placed)


def _pod(name: str, resources: dict[str, Any]) -> dict[str, Any]:
    return {
        "metadata": {"name": name, "labels": {"run": name.rpartition("-")[0]}},
        "spec": {
            "runtimeClassName": NAMESPACE,
            "nodeSelector": {"rakazo-infra/density": "declared"},
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": "computer", "image": "nothing.invalid/none", "resources": resources}],
        },
    }


def _decided(core: client.CoreV1Api, name: str, seconds: float = 60.0) -> list[Any]:
    """Wait until the scheduler has placed or refused every pod."""
    deadline = time.monotonic() + seconds
    while True:
        pods: list[Any] = core.list_namespaced_pod(NAMESPACE, label_selector=f"run={name}").items
        if all(any(each.type == "PodScheduled" for each in pod.status.conditions or []) for pod in pods):
            return pods
        if time.monotonic() > deadline:
            raise TimeoutError(f"the scheduler did not decide on {len(pods)} pods within {seconds:.0f} s")
        time.sleep(0.3)
