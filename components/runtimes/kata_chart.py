"""What the chart kata-deploy is told."""

from collections.abc import Mapping
from typing import Any

from components.contracts import OwnNodes
from stacks.kata import KataChart, Reference
from stacks.runtime import KataRuntime, Placement

CHART = "kata-deploy"
NAMESPACE = "kube-system"
"""What it runs changes the node, which the computers' namespaces admit nobody to do."""
ACCOUNT = f"system:serviceaccount:{NAMESPACE}:{CHART}-sa"
"""Whose token the chart's DaemonSet leaves on every node of computers."""
INSTALLED = "katacontainers.io/kata-runtime"
"""Label of a node; "true" as soon as Kata is on it, and no longer from the moment it is taken away."""
SECONDS = 1800
"""For the release as a whole: an image of more than a gigabyte comes to each node, whose containerd is restarted."""


def chart_reference(chart: KataChart) -> str:
    """Return the chart as Helm takes it."""
    return f"{chart.repository}/{CHART}"


def render_values(runtime: KataRuntime, nodes: OwnNodes) -> dict[str, Any]:
    """Return the chart's values: one hypervisor, on the computers' nodes, and nothing that the chart does beside it."""
    images = runtime.chart.images
    return {
        # The installer refuses a node on which it finds another one.
        "k8sDistribution": nodes.distribution,
        "shims": {"disableAll": True, runtime.shim: {"enabled": True}},
        # The default brings a snapshotter that computers do not need.
        "snapshotter": {"setup": []},
        # The stack's own class carries its name, its placement and its overhead.
        "runtimeClasses": {"enabled": False},
        "node-feature-discovery": {"enabled": False},
        # By default the newest one of the day.
        "kubectlImage": _image(images.kubectl),
        **({} if images.installer is None else {"image": _image(images.installer)}),
        **_installation(runtime, nodes),
    }


def _installation(runtime: KataRuntime, nodes: OwnNodes) -> dict[str, Any]:
    """Return how Kata comes to nodes.

    Those that are known get a job each. It ends, and what starts it tolerates no taint: nothing that holds rights in
    the cluster runs beside computers. A name that is new in the list makes the release look again. Where nodes come
    and go, only a DaemonSet sees new ones; its pods stay on the computers' nodes with the right to label nodes.
    """
    if nodes.computers is not None:
        return {
            "deploymentMode": "job",
            "job": {
                "nodes": list(nodes.computers),
                "dispatcherImage": _image(runtime.chart.images.dispatcher),
            },
        }
    return {
        "deploymentMode": "daemonset",
        "nodeSelector": dict(runtime.node_selector),
        "tolerations": tolerations(runtime),
    }


def tolerations(placement: Placement) -> list[Mapping[str, str]]:
    """Return the computers' tolerations as a pod has them."""
    return [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in placement.tolerations
    ]


def _image(reference: Reference) -> dict[str, str]:
    """Return an image as the chart takes it, which keeps the tag apart and knows a digest by its @."""
    if "@" in reference:
        return {"reference": reference, "tag": ""}
    name, _, tag = reference.rpartition(":")
    return {"reference": name, "tag": tag}
