"""The addresses behind the `kubernetes` Service of a cluster whose control plane is a cloud's."""

from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.discovery import v1 as discovery

OBJECT = "default/kubernetes"
"""Every API server writes its own address there."""


def api_endpoints(name: str, provider: kubernetes.Provider, parent: pulumi.Resource) -> pulumi.Output[tuple[str, ...]]:
    """Return the endpoints as `address:port`, as policies see them; known once the cluster is there.

    Read anew at every run, and never changed: the object stays Kubernetes' own.
    """
    found = discovery.EndpointSlice.get(name, OBJECT, pulumi.ResourceOptions(parent=parent, provider=provider))
    return pulumi.Output.all(found.endpoints, found.ports).apply(lambda known: _told(*known))


def _told(endpoints: Sequence[Any], ports: Sequence[Any]) -> tuple[str, ...]:
    addresses = sorted(address for endpoint in endpoints for address in endpoint["addresses"])
    return tuple(_endpoint(address, int(port["port"])) for address in addresses for port in ports)


def _endpoint(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
