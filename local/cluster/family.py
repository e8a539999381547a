"""The address families of a cluster: IPv4 alone, or IPv6 beside it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from local.cluster import addresses
from local.cluster.addresses import COMPUTERS, NODES, SYSTEM, Node
from local.failure import LocalError

HTTP_PORT = 80
IPV6_OF_KERNEL = Path("/proc/sys/net/ipv6")


@dataclass(frozen=True, kw_only=True)
class Family:
    """Everything that one family adds to a cluster."""

    version: Literal[4, 6]
    everywhere: str
    """The destination of a default route."""
    nodes: str
    pods: str
    services: str
    gateway: str
    """The outside's address among the nodes."""
    public_dns: str
    public_web: str
    public: Mapping[str, str]
    """Address to kind of what computers may reach."""
    neighbours: Mapping[str, str]
    """Address to kind of one place in every range that is not public and that a Linux host can route."""
    cloud_services: Mapping[str, str]
    """Address to kind of clouds' services in ranges that have a neighbour anyway."""
    names: Mapping[str, str]
    """Public name to its address."""
    node_addresses: Mapping[str, str]
    node_pods: Mapping[str, str]
    """Node's name to the range from which its pods get their addresses."""
    forwarding: str
    """The kernel setting, below /proc/sys, that lets a node pass packets on."""

    @property
    def listeners(self) -> dict[str, str]:
        """Every address of the outside on which something answers on port 80, and its kind."""
        return {**self.public, **self.neighbours, **self.cloud_services}

    @property
    def endpoints(self) -> list[str]:
        """One listener in every range that computers must not reach, as `address:port` or `[address]:port`."""
        return [f"[{a}]:{HTTP_PORT}" if self.version == 6 else f"{a}:{HTTP_PORT}" for a in self.neighbours]  # noqa: PLR2004

    def with_prefix(self, address: str) -> str:
        """Return an address among the nodes with the length of their range's prefix."""
        return f"{address}/{self.nodes.rpartition('/')[2]}"

    def routes(self, node: Node | None) -> dict[str, str]:
        """Pod range to next hop for every node but `node`; None is the outside, which needs them all."""
        others = [other.name for other in NODES if other != node]
        return {self.node_pods[name]: self.node_addresses[name] for name in others}


IPV4 = Family(
    version=4,
    everywhere="0.0.0.0/0",
    nodes=addresses.NODE_RANGE,
    pods=addresses.POD_RANGE,
    services=addresses.SERVICE_RANGE,
    gateway=addresses.GATEWAY,
    public_dns=addresses.PUBLIC_DNS,
    public_web=addresses.PUBLIC_WEB,
    public=addresses.PUBLIC,
    neighbours=addresses.NEIGHBOURS,
    cloud_services=addresses.CLOUD_SERVICES,
    names={
        addresses.PUBLIC_NAME: addresses.PUBLIC_WEB,
        addresses.WELL_KNOWN_NAME: addresses.PUBLIC_WEB,
        f"dns.{addresses.PUBLIC_ZONE}": addresses.PUBLIC_DNS,
        # A public name that points inside: a filter by name would let it through.
        f"metadata.{addresses.PUBLIC_ZONE}": addresses.METADATA,
        f"neighbour.{addresses.PUBLIC_ZONE}": addresses.NEIGHBOUR,
    },
    node_addresses={node.name: node.address for node in NODES},
    node_pods={node.name: node.pods for node in NODES},
    forwarding="net/ipv4/ip_forward",
)

IPV6 = Family(
    version=6,
    everywhere="::/0",
    nodes="fd00:10::/64",
    pods="fd00:42::/56",
    services="fd00:43::/112",
    gateway="fd00:10::1",
    # Of AS112, which answers for names that nobody owns: a public range, and nobody's.
    public_dns="2620:4f:8000::53",
    public_web="2620:4f:8000::80",
    public={"2620:4f:8000::80": "public-web-ipv6", "2620:4f:8000::53": "public-dns-ipv6"},
    # Link-local addresses are missing: no router passes them on.
    neighbours={
        "fd12:3456:789a::10": "lan-ipv6",
        "fc12:3456:789a::10": "central-lan-ipv6",
        "64:ff9b::a63:a": "nat64",
        "64:ff9b:1::a63:a": "nat64-local",
        "2002:a63:a::10": "6to4",
        "2001:db8::10": "documentation-ipv6",
        "100::10": "discard",
        "fec0::10": "site-local",
    },
    cloud_services={
        "fd00:ec2::254": "metadata-ipv6",
        "fd00:ec2::23": "pod-identity-ipv6",
        "fd20:ce::254": "google-metadata-ipv6",
    },
    names={
        addresses.PUBLIC_NAME: "2620:4f:8000::80",
        addresses.WELL_KNOWN_NAME: "2620:4f:8000::80",
        f"dns.{addresses.PUBLIC_ZONE}": "2620:4f:8000::53",
        f"metadata.{addresses.PUBLIC_ZONE}": "fd00:ec2::254",
        f"neighbour.{addresses.PUBLIC_ZONE}": "fd12:3456:789a::10",
    },
    node_addresses={SYSTEM.name: "fd00:10::11", COMPUTERS.name: "fd00:10::12"},
    node_pods={SYSTEM.name: "fd00:42::/64", COMPUTERS.name: "fd00:42:0:1::/64"},
    forwarding="net/ipv6/conf/all/forwarding",
)

Families = tuple[Family, ...]
SINGLE_STACK: Families = (IPV4,)
DUAL_STACK: Families = (IPV4, IPV6)


def of_cluster(*, dual_stack: bool) -> Families:
    """Return what a cluster has; IPv4 comes first, so Services have it unless they ask for more."""
    return DUAL_STACK if dual_stack else SINGLE_STACK


def kept_or_chosen(name: str, *, has: bool | None, wants: bool) -> Families:
    """Return what the cluster keeps or gets: nodes never take other pod ranges, so an existing one keeps its families.

    `has` is whether it has both, None when it does not exist yet. LocalError when it cannot get what it is asked for.
    """
    if wants and has is False:
        raise LocalError(
            f"cluster {name} was started with IPv4 alone and cannot get IPv6 any more: end it with "
            f"`rakazo-infra local down --name {name}`, then `rakazo-infra local up --name {name} --dual-stack`"
        )
    dual_stack = wants if has is None else has
    if dual_stack and not IPV6_OF_KERNEL.exists():
        raise LocalError("--dual-stack: this machine's kernel runs without IPv6; start the cluster without the option")
    return of_cluster(dual_stack=dual_stack)


def joined(values: Iterable[str]) -> str:
    """Write one value per family as Kubernetes' flags take them."""
    return ",".join(values)
