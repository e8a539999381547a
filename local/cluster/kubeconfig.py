"""Kubeconfig files with everything inside them, so that they can be copied."""

import base64
from typing import Any

import yaml

from local.cluster.certificates import KeyPair


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def render(context: str, server: str, authority: str, client: KeyPair) -> str:
    """Render the YAML of a kubeconfig with one cluster, one user and one context, all called `context`."""
    content: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {"name": context, "cluster": {"server": server, "certificate-authority-data": _encoded(authority)}}
        ],
        "users": [
            {
                "name": context,
                "user": {
                    "client-certificate-data": _encoded(client.certificate),
                    "client-key-data": _encoded(client.key),
                },
            }
        ],
        "contexts": [{"name": context, "context": {"cluster": context, "user": context}}],
        "current-context": context,
    }
    return yaml.safe_dump(content, sort_keys=False)
