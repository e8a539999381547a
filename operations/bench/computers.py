"""How long a computer takes from its creation until it is ready, under runc and under gVisor side by side."""

import time

from kubernetes import client
from rich.console import Console

from local.stack.folder import StackFolder
from local.stack.kubernetes_client import api_client
from operations.bench import cluster
from operations.bench.figure import Figure, ratio
from probes.pods import Pods, spec

RUNS = 5
NAMESPACE = "bench-computers"
CLASSES = {"bench-runc": "runc", "bench-gvisor": "runsc"}
SCREEN = 6080


def measure(console: Console) -> list[Figure]:
    """Start the same image under both classes in turn, until its screen's port accepts."""
    from local.images import ensure

    image = ensure(console)["computer-lite"].reference
    api = api_client(StackFolder(name=cluster.NAME).kubeconfig)
    core, node, pods = client.CoreV1Api(api), client.NodeV1Api(api), Pods(api, NAMESPACE)
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    for name, handler in CLASSES.items():
        node.create_runtime_class({"metadata": {"name": name}, "handler": handler, "scheduling": _scheduling()})
    runs: dict[str, list[float]] = {name: [] for name in CLASSES}
    for number in range(RUNS):
        for name in CLASSES:
            runs[name].append(_ready(pods, f"{name}-{number}", image, name))
    for name in CLASSES:
        node.delete_runtime_class(name)
    core.delete_namespace(NAMESPACE)
    runc, gvisor = runs["bench-runc"], runs["bench-gvisor"]
    return [
        Figure(name="small computer ready, runc", unit="s", runs=tuple(runc)),
        Figure(name="small computer ready, gVisor", unit="s", runs=tuple(gvisor)),
        ratio("gVisor ÷ runc", gvisor, runc),
    ]


def _scheduling() -> dict[str, object]:
    return {
        "nodeSelector": {"rakazo-infra/pool": "computers"},
        "tolerations": [{"key": "rakazo-infra/pool", "operator": "Exists", "effect": "NoSchedule"}],
    }


def _ready(pods: Pods, name: str, image: str, runtime_class: str) -> float:
    pod = spec(name, image, runtimeClassName=runtime_class)
    pod["spec"]["containers"][0]["readinessProbe"] = {"tcpSocket": {"port": SCREEN}, "periodSeconds": 1}
    started = time.monotonic()
    pods.start(pod)
    took = time.monotonic() - started
    pods.delete(name)
    return took
