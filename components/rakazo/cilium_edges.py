"""Edges that address blocks cannot draw where Cilium enforces policies."""

from collections.abc import Iterator
from typing import Any

from components.kubernetes import cilium, names


def cilium_edges(application: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and specification: api and worker to the API, nodes to web and api."""
    yield "kubernetes-api-by-identity", cilium.to_kubernetes_api(_components(application, "api", "worker"))
    for component, port in (("api", names.API_PORT), ("web", names.WEB_PORT)):
        yield f"{component}-from-nodes-by-identity", cilium.from_nodes(_components(application, component), [port])


def _components(application: str, *wanted: str) -> dict[str, Any]:
    return {
        "matchLabels": {names.INSTANCE: application},
        "matchExpressions": [{"key": names.COMPONENT, "operator": "In", "values": list(wanted)}],
    }
