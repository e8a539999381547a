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
WELL_KNOWN_NAME = "example.com"
"""What a probe asks for on any cluster: here it is the outside's public web."""
METADATA = "169.254.169.254"
POD_IDENTITY = "169.254.170.23"
NEIGHBOUR = "10.99.0.10"

PUBLIC = {
    PUBLIC_WEB: "public-web",
    PUBLIC_DNS: "public-dns",
}
"""Places that a computer may reach."""

NEIGHBOURS = {
    METADATA: "metadata",
    "168.63.129.16": "azure-wire",
    "192.0.0.192": "oracle-metadata",
    NEIGHBOUR: "lan-10",
    "172.20.0.10": "lan-172",
    "192.168.99.10": "lan-192",
    "100.64.0.10": "cgnat",
    "0.0.0.10": "this-network",
    "192.0.2.10": "documentation-192",
    "198.51.100.10": "documentation-198",
    "203.0.113.10": "documentation-203",
    "192.88.99.10": "relay-6to4",
    "198.18.0.10": "benchmark",
    "240.0.0.10": "reserved",
}
"""One address in every range that is not public and that a Linux host can route: all but loopback and multicast."""

CLOUD_SERVICES = {
    "169.254.170.2": "task-metadata",
    POD_IDENTITY: "pod-identity",
    "100.100.100.200": "alibaba-metadata",
}
"""Services of clouds in ranges that have a neighbour anyway."""

LISTENERS = {**PUBLIC, **NEIGHBOURS, **CLOUD_SERVICES}
"""Every IPv4 address of the outside on which something answers on port 80, and the kind that it stands for."""

POOL_LABEL = "rakazo-infra/pool"


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node of the plan."""

    name: str
    address: str
    pods: str
    """The range from which its pods get their IPv4 addresses."""
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
