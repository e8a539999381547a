"""`k3s agent`: a node that runs pods and no part of the control plane."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from tests.k3s.program import notification
from tests.k3s.program.balancer import Balancer
from tests.k3s.program.children import Children
from tests.k3s.program.configuration import Values
from tests.k3s.program.http_client import Answer
from tests.k3s.program.join_token import NODE_USER, Token
from tests.k3s.program.kube import Kube
from tests.k3s.program.node_programs import Node
from tests.k3s.program.node_run import NodeRun, address_of
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.release import built_in
from tests.k3s.program.runtime import Runtime
from tests.k3s.program.settings import ClusterSettings, NodeSettings, node_settings
from tests.k3s.program.supervisor_client import Supervisor, join_address, node_password, save

LEARN_SECONDS = 5.0


async def serve(values: Values, children: Children) -> None:
    """Join, say when the node is Ready, and go on for ever; Refusal when it cannot be."""
    settings = node_settings(values)
    if not settings.server_url:
        raise Refusal("server: is required: say `server: https://<address of a server>:6443`")
    if not settings.token:
        raise Refusal("token: is required: say `token-file: /etc/rancher/k3s/token`")
    first = join_address(settings.server_url)
    release = built_in()
    address = address_of(settings)
    containerd = Runtime(settings, release, children)
    balancer = Balancer(settings.layout.balancer, first)
    await balancer.listen(settings.balancer_port)

    api_url = f"https://127.0.0.1:{settings.balancer_port}"
    supervisor = Supervisor(api_url.removeprefix("https://"), Token.parse(settings.token), NODE_USER, children)
    told = await supervisor.ask("GET", "/v1-k3s/config")
    asked = {
        "name": settings.name,
        "addresses": [address, *settings.external_addresses],
        "password": node_password(),
        "api_url": api_url,
    }
    save(await supervisor.ask("POST", "/v1-k3s/node", asked), settings.layout.agent)

    node = Node(settings=settings, cluster=ClusterSettings(**told["cluster"]), address=address)
    api = controller_api(settings, api_url)
    await NodeRun(node, release, api, children).start(containerd, told["node_ports"], _nothing_more)
    notification.tell("READY=1\nSTATUS=the node is ready")
    while True:
        with contextlib.suppress(OSError, Answer):
            balancer.learn(await asyncio.to_thread(_servers, api))
        await asyncio.sleep(LEARN_SECONDS)


def controller_api(settings: NodeSettings, api_url: str) -> Kube:
    """Return the API as k3s' controller on this node."""
    agent = settings.layout.agent
    return Kube(api_url, agent / "server-ca.crt", agent / "client-k3s-controller")


def _nothing_more(_: str, __: Mapping[str, Any]) -> None:
    """An agent does nothing else when a Node changes."""


def _servers(api: Kube) -> list[str]:
    endpoints = api.get("/api/v1/namespaces/default/endpoints/kubernetes")
    parts = [(part, port["port"]) for part in endpoints.get("subsets", []) for port in part["ports"]]
    return [f"{address['ip']}:{port}" for part, port in parts for address in part.get("addresses", [])]
