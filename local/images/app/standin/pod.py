"""The pod of a computer: exactly the fields that Rakazo writes, and nothing that would help us."""

from typing import Any

from .sandbox_settings import KubernetesSandbox


def manifest(name: str, settings: KubernetesSandbox) -> dict[str, Any]:
    """Return the pod as it is created.

    No labels, selectors, tolerations, pull secrets, volumes or runAsNonRoot: whatever isolation needs
    beyond this has to be added around it by the cluster.
    """
    container: dict[str, Any] = {
        "name": "computer",
        "image": settings.image,
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    limits = {"cpu": settings.cpu_limit, "memory": settings.memory_limit}
    set_limits = {kind: limit for kind, limit in limits.items() if limit}
    if set_limits:
        container["resources"] = {"limits": set_limits}
    spec: dict[str, Any] = {"automountServiceAccountToken": False, "containers": [container]}
    if settings.runtime_class:
        spec["runtimeClassName"] = settings.runtime_class
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def is_ready(pod: dict[str, Any]) -> bool:
    """Tell whether the pod reports Ready and has an address."""
    status = pod.get("status", {})
    conditions = {one["type"]: one["status"] for one in status.get("conditions", [])}
    return conditions.get("Ready") == "True" and bool(status.get("podIP"))


def is_over(pod: dict[str, Any]) -> bool:
    """Tell whether the pod has ended for good or is being deleted."""
    return pod.get("status", {}).get("phase") in {"Failed", "Succeeded"} or (
        "deletionTimestamp" in pod.get("metadata", {})
    )


def explanation(pod: dict[str, Any]) -> str:
    """Return in one line why a pod is not ready: phase, conditions, container reasons."""
    status = pod.get("status", {})
    parts = [f"phase {status.get('phase', 'unknown')}"]
    parts += [str(status[key]) for key in ("reason", "message") if status.get(key)]
    parts += [
        f"{one['type']}={one['status']} {one.get('reason', '')} {one.get('message', '')}".strip()
        for one in status.get("conditions", [])
        if one["status"] != "True"
    ]
    for one in [*status.get("initContainerStatuses", []), *status.get("containerStatuses", [])]:
        for state, detail in one.get("state", {}).items():
            if state != "running":
                parts.append(f"{one['name']} {state} {detail.get('reason', '')} {detail.get('message', '')}".strip())
    return "; ".join(parts)
