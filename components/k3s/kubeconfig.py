"""The administrator's kubeconfig, as others than the server itself can use it."""

from typing import Any

import yaml

from components.k3s.plan import API_PORT


def rewrite(document: str, address: str, context: str) -> str:
    """Return k3s' kubeconfig with the server's real address, and with a name that no other cluster has.

    ValueError when it is none; its text holds a key, so no error quotes it.
    """
    try:
        loaded: dict[str, Any] = yaml.safe_load(document)
        (cluster,), (user,) = loaded["clusters"], loaded["users"]
        cluster["cluster"]["server"] = f"https://{address}:{API_PORT}"
        authority, identity = cluster["cluster"], user["user"]
    except (yaml.YAMLError, KeyError, TypeError, ValueError):
        raise ValueError("what the server gave out as its kubeconfig is none: one cluster and one user") from None
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": context, "cluster": authority}],
            "users": [{"name": context, "user": identity}],
            "contexts": [{"name": context, "context": {"cluster": context, "user": context}}],
            "current-context": context,
        },
        sort_keys=False,
    )
