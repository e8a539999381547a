"""What the person or the pipeline that verifies must be allowed, and no more."""

from typing import Any

NAME = "rakazo-verify"
RULES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("", ("nodes",), ("list",)),
    ("", ("namespaces",), ("create", "get", "list", "delete")),
    ("", ("pods",), ("create", "get", "list", "delete")),
    ("", ("pods/exec",), ("create", "get")),
    ("", ("pods/log", "pods/attach", "pods/portforward", "pods/proxy"), ("get",)),
    ("", ("pods/ephemeralcontainers",), ("patch",)),
    ("", ("events", "configmaps", "secrets"), ("list",)),
    ("", ("services",), ("create", "get", "list")),
    ("", ("serviceaccounts/token",), ("create",)),
    ("apps", ("deployments", "statefulsets"), ("list",)),
    ("networking.k8s.io", ("networkpolicies",), ("create", "list", "delete")),
    ("coordination.k8s.io", ("leases",), ("create", "get", "patch")),
    ("discovery.k8s.io", ("endpointslices",), ("list",)),
    ("node.k8s.io", ("runtimeclasses",), ("get",)),
)
"""API group, resources, verbs. In the whole cluster, because the verification's own namespace comes and goes.

The ways into a pod are tried in order to see admission refuse them: without the right they would be refused before.
"""


def cluster_role() -> dict[str, Any]:
    """Return the ClusterRole as an object that `kubectl apply` takes."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": NAME},
        "rules": [
            {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}
            for group, resources, verbs in RULES
        ],
    }
