"""k3s' configuration, as files."""

from typing import Any

import yaml

from components.k3s import bucket
from components.k3s.plan import Node, Plan
from components.kubernetes import names

FOLDER = "/etc/rancher/k3s"
TOKEN = f"{FOLDER}/token"
AGENT_TOKEN = f"{FOLDER}/agent-token"
SHARED = f"{FOLDER}/config.yaml"
OWN = f"{FOLDER}/config.yaml.d/10-machine.yaml"
SWITCHED_OFF = ("traefik", "servicelb", "metrics-server")
"""Ways in that nobody asked for, and a pod that would have to reach every kubelet."""


def render_shared(plan: Plan, role: str) -> str:
    """Return what every server, or every agent, is told alike: k3s refuses servers that differ in it."""
    content: dict[str, Any] = {"token-file": TOKEN, "prefer-bundled-bin": True}
    if role == "server":
        content |= {
            # Agents hold a token of their own: with the servers' one a broken agent could become a server.
            "agent-token-file": AGENT_TOKEN,
            "cluster-cidr": plan.ranges.pods,
            "service-cidr": plan.ranges.services,
            "cluster-dns": plan.ranges.dns,
            "disable": list(SWITCHED_OFF),
            "disable-helm-controller": True,
            "flannel-backend": "vxlan" if plan.is_private else "wireguard-native",
            "secrets-encryption": True,
            "tls-san": [address for server in plan.servers for address in server.addresses],
            "write-kubeconfig-mode": "0600",
            **({} if plan.k3s.snapshots is None else bucket.render_config()),
        }
    return _render(content)


def render_own(node: Node) -> str:
    """Return what one node is told about itself. Its interface is found out when it starts."""
    pool = names.COMPUTERS_POOL if node.runs_computers else "system"
    content: dict[str, Any] = {
        "node-name": node.name,
        "node-ip": node.node_address,
        "node-external-ip": node.address,
        "node-label": [f"{names.POOL_LABEL}={pool}"],
    }
    if node.pool == names.COMPUTERS_POOL:
        content["node-taint"] = [f"{names.POOL_LABEL}={names.COMPUTERS_POOL}:NoSchedule"]
    if node.role == "server":
        content["advertise-address"] = node.node_address
    return _render(content)


def _render(content: dict[str, Any]) -> str:
    return "# Written by rakazo-infra.\n" + yaml.safe_dump(content, sort_keys=True)
