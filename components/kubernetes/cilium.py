"""Cilium's own policies, which know nodes and API servers by what they are: blocks of addresses match neither.

No SDK has types for the kind, so their specifications are plain data.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.meta import v1 as meta

API_VERSION, KIND = "cilium.io/v2", "CiliumNetworkPolicy"


def policy(
    name: str, metadata: meta.ObjectMetaArgs, spec: Mapping[str, Any], opts: pulumi.ResourceOptions
) -> kubernetes.apiextensions.CustomResource:
    """Declare one more edge, beside the ordinary policies that close the namespace."""
    return kubernetes.apiextensions.CustomResource(
        name, api_version=API_VERSION, kind=KIND, metadata=metadata, spec=dict(spec), opts=opts
    )


def to_kubernetes_api(selector: Mapping[str, Any]) -> dict[str, Any]:
    """Return the specification that lets the selected pods reach the API, wherever it is."""
    return {"endpointSelector": dict(selector), "egress": [{"toEntities": ["kube-apiserver"]}]}


def from_nodes(selector: Mapping[str, Any], ports: Sequence[int]) -> dict[str, Any]:
    """Return the specification that lets in probes, and what a port of another node forwards."""
    listed = [{"port": str(port), "protocol": "TCP"} for port in ports]
    return {
        "endpointSelector": dict(selector),
        "ingress": [{"fromEntities": ["host", "remote-node"], "toPorts": [{"ports": listed}]}],
    }
