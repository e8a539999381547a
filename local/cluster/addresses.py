"""The addresses of an embedded cluster; they live in its own namespaces and are the same in every cluster."""

from dataclasses import dataclass

NODE_RANGE = "10.10.0.0/24"
PREFIX = 24
GATEWAY = "10.10.0.1"
"""The outside's address among the nodes: their default route."""
POD_RANGE = "10.42.0.0/16"
SERVICE_RANGE = "10.43.0.0/16"
API_SERVICE = "10.43.0.1"
DNS_SERVICE = "10.43.0.10"
DOMAIN = "cluster.local"
API_PORT = 6443
PUBLIC_DNS = "192.175.48.53"
PUBLIC_WEB = "192.175.48.80"
PUBLIC_ZONE = "example-public.test"
PUBLIC_NAME = f"www.{PUBLIC_ZONE}"
METADATA = "169.254.169.254"
POD_IDENTITY = "169.254.170.23"

LISTENERS = {
    PUBLIC_WEB: "public-web",
    PUBLIC_DNS: "public-dns",
    METADATA: "metadata",
    POD_IDENTITY: "pod-identity",
    "10.99.0.10": "lan-10",
    "172.20.0.10": "lan-172",
    "192.168.99.10": "lan-192",
    "100.64.0.10": "cgnat",
}
"""Every address of the outside on which something answers on port 80, and the kind that it stands for."""

POOL_LABEL = "rakazo-infra/pool"


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node of the plan."""

    name: str
    address: str
    pods: str
    """The range from which its pods get their addresses."""
    tainted: bool
    """Whether only pods that tolerate the pool's taint are scheduled here."""

    @property
    def pool(self) -> str:
        """Value of the pool label; each pool has one node."""
        return self.name


SYSTEM = Node(name="system", address="10.10.0.11", pods="10.42.0.0/24", tainted=False)
COMPUTERS = Node(name="computers", address="10.10.0.12", pods="10.42.1.0/24", tainted=True)
NODES = (SYSTEM, COMPUTERS)
OUTSIDE = "outside"
API_URL = f"https://{SYSTEM.address}:{API_PORT}"
WEB_NODE_PORT = 30173
API_NODE_PORT = 30100


def other_pod_ranges(node: Node | None) -> dict[str, str]:
    """Pod range to next hop for every node but `node`; None is the outside, which needs them all."""
    return {other.pods: other.address for other in NODES if other != node}
