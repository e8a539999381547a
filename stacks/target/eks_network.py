"""The network of a cluster at AWS: one of its own, or subnets that exist."""

from ipaddress import IPv4Network, ip_network
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from stacks.address_range import DIALLED, AddressRange, is_dialled
from stacks.base import Model

WIDEST, SMALLEST = 16, 20
"""Prefix lengths of the two ranges of a network of our own; AWS takes none wider than /16."""
BLOCK, BLOCKS_OF_A_NODE, BLOCKS_OF_AWS = 16, 3, 2
"""A node takes whole blocks of 16 addresses: one is in use, one waits for the next pods, and a third is broken by the
address of the node's own interface. The first and the last of a subnet hold addresses of AWS itself."""


def _checked_private(text: str) -> str:
    if not is_dialled(text):
        raise ValueError(
            "lies outside 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16: Rakazo's web dials computers only there, so "
            "with pods in 100.64.0.0/10 or a public range every screen would be refused; write such as 10.42.0.0/16"
        )
    return text


def _checked_vpc_range(text: str) -> str:
    if not WIDEST <= ip_network(text).prefixlen <= SMALLEST:
        raise ValueError(
            f"must be between /{WIDEST} and /{SMALLEST}, of which each zone gets a part; write such as /16"
        )
    return text


PrivateRange = Annotated[AddressRange, AfterValidator(_checked_private)]
VpcRange = Annotated[PrivateRange, AfterValidator(_checked_vpc_range)]


def nodes_of(pods: str) -> int:
    """Return for how many nodes a subnet of pods has blocks of addresses."""
    return max(0, IPv4Network(pods).num_addresses // BLOCK - BLOCKS_OF_AWS) // BLOCKS_OF_A_NODE


def block_of(text: str) -> IPv4Network:
    """Return which of the three private blocks a range lies in."""
    network = IPv4Network(text)
    return next(block for block in DIALLED if network.subnet_of(block))


class OwnNetwork(Model):
    """A VPC that is made and removed with the stack. None of its ranges can ever be changed."""

    kind: Literal["own"]
    """Which network this is."""
    nodes: VpcRange = "10.0.0.0/16"
    """The VPC's first range: nodes, load balancers, and the interfaces of the Kubernetes API."""
    pods: VpcRange = "10.42.0.0/16"
    """Its second range, of pods alone, so that policies and security groups can tell them from nodes."""
    nat: Literal["none", "one", "per-zone"] = "one"
    """How nodes reach the internet: each with a public address that lets nobody in (none), through one NAT gateway in
    the first zone, whose loss cuts all of them off (one), or through one in each zone. Prices: docs/targets/eks.md."""

    @model_validator(mode="after")
    def _ranges_go_together(self) -> Self:
        if ip_network(self.nodes).overlaps(ip_network(self.pods)):
            raise ValueError("nodes and pods overlap; write the defaults, nodes: 10.0.0.0/16 and pods: 10.42.0.0/16")
        if block_of(self.nodes) != block_of(self.pods):
            raise ValueError(
                f"pods lies in {block_of(self.pods)} and nodes in {block_of(self.nodes)}: AWS takes no second range "
                f"from another private block; write pods inside {block_of(self.nodes)}"
            )
        return self

    def node_ranges(self, zones: tuple[str, ...]) -> dict[str, str]:
        """Return the subnet of nodes in each zone: a sixteenth of the range."""
        return dict(zip(zones, _parts(self.nodes, 4), strict=False))

    def public_ranges(self, zones: tuple[str, ...]) -> dict[str, str]:
        """Return the subnet of the NAT gateway in each zone: a sixteenth of the last sixteenth."""
        return dict(zip(zones, _parts(_parts(self.nodes, 4)[-1], 4), strict=False))

    def pod_ranges(self, zones: tuple[str, ...]) -> dict[str, str]:
        """Return the subnet of pods in each zone: a quarter of the range, so that a third zone can come later."""
        return dict(zip(zones, _parts(self.pods, 2), strict=False))


class Subnet(Model):
    """A subnet that exists."""

    id: Annotated[str, Field(pattern=r"^subnet-[0-9a-f]{8,17}$")]
    """Its id, such as subnet-0123456789abcdef0."""
    range: PrivateRange
    """Its range, as AWS has it: policies are made of it, and the preview compares."""


class ZoneSubnets(Model):
    """What one zone has."""

    nodes: Subnet
    """Private, with a way to the internet, and the tag kubernetes.io/role/internal-elb: 1."""
    pods: Subnet
    """Of pods alone; each node of the zone takes 48 of its addresses, and AWS 32."""


class ExistingNetwork(Model):
    """Subnets that somebody else looks after. Nothing in them is changed."""

    kind: Literal["existing"]
    """Which network this is."""
    vpc: Annotated[str, Field(pattern=r"^vpc-[0-9a-f]{8,17}$")]
    """Id of the VPC, such as vpc-0123456789abcdef0."""
    subnets: dict[str, ZoneSubnets]
    """Zone to its subnets; the zones are those of `zones`."""

    @model_validator(mode="after")
    def _each_is_another(self) -> Self:
        every = [subnet for zone in self.subnets.values() for subnet in (zone.nodes, zone.pods)]
        if len({subnet.id for subnet in every}) < len(every):
            raise ValueError("subnets: one is named twice; nodes and pods of each zone have their own")
        for number, subnet in enumerate(every):
            if any(ip_network(subnet.range).overlaps(ip_network(other.range)) for other in every[:number]):
                raise ValueError(f"subnets: the range of {subnet.id} overlaps another's, and AWS has no such subnets")
        return self

    def node_ranges(self, zones: tuple[str, ...]) -> dict[str, str]:
        """Return the subnet of nodes in each zone."""
        return {zone: self.subnets[zone].nodes.range for zone in zones}

    def pod_ranges(self, zones: tuple[str, ...]) -> dict[str, str]:
        """Return the subnet of pods in each zone."""
        return {zone: self.subnets[zone].pods.range for zone in zones}


EksNetwork = Annotated[OwnNetwork | ExistingNetwork, Field(discriminator="kind")]


def _parts(text: str, bits: int) -> list[str]:
    return [str(part) for part in IPv4Network(text).subnets(prefixlen_diff=bits)]
