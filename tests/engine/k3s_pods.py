"""Small pods on nodes of the stand-in for k3s, and who of them reaches whom."""

import time
from typing import Any

from rich.console import Console

from local import images
from tests.engine.k3s_node import K3sNode

SECONDS = 30.0
"""How long a policy, a route or a name may take to be known everywhere."""
CONSOLE = Console(stderr=True)


def pod(name: str, node: str, *command: str, **spec: Any) -> dict[str, Any]:
    container = {"name": "main", "image": images.ensure(CONSOLE, ["toolbox"])["toolbox"].reference, "command": command}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": {"app": name}},
        "spec": {
            "nodeSelector": {"kubernetes.io/hostname": node},
            "tolerations": [{"operator": "Exists"}],
            "terminationGracePeriodSeconds": 0,
            "containers": [container],
            **spec,
        },
    }


def reads(server: K3sNode, client: str, host: str) -> bool:
    ask = f"printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 2 {host} 80"
    return "hello" in server.k3s("kubectl", "exec", client, "--", "sh", "-c", ask, check=False)


def becomes(server: K3sNode, client: str, host: str, *, wanted: bool) -> bool:
    deadline = time.monotonic() + SECONDS
    while reads(server, client, host) is not wanted:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True
