"""What AWS says of a network that exists, and what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

from stacks.address_range import DIALLED
from stacks.target.eks_network import ExistingNetwork, ZoneSubnets

INTERNAL = "kubernetes.io/role/internal-elb"
SHARED = IPv4Network("100.64.0.0/10")
FEWEST_ADDRESSES = 16
"""Free addresses that a subnet needs at least; EKS itself takes six of it and wants sixteen."""


@dataclass(frozen=True, kw_only=True)
class SubnetAnswer:
    """A subnet that exists."""

    zone: str
    vpc: str
    range: str
    free: int
    """Addresses that nobody has."""
    tags: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class VpcAnswer:
    """A VPC that exists."""

    ranges: Sequence[str]
    names: bool
    """Whether it has both of DNS support and DNS names."""


@dataclass(frozen=True, kw_only=True)
class NetworkAnswers:
    """All that was asked."""

    vpc: VpcAnswer
    subnets: Mapping[str, SubnetAnswer]
    """Id to subnet, of those that the settings name."""


def network_faults(network: ExistingNetwork, answers: NetworkAnswers) -> Iterator[str]:
    """Yield what is wrong, each with the key below `target` and the line to write."""
    if not answers.vpc.names:
        yield (
            "network.vpc: it has no DNS support or no DNS names, and nodes find the API by its name; write: aws ec2 "
            f"modify-vpc-attribute --vpc-id {network.vpc} --enable-dns-hostnames, then once more with "
            "--enable-dns-support"
        )
    for text in answers.vpc.ranges:
        if not any(IPv4Network(text).subnet_of(private) for private in (*DIALLED, SHARED)):
            yield (
                f"network.vpc: its range {text} is public: computers reach every public address, its machines among "
                "them; take a VPC of private ranges alone"
            )
    for zone, both in network.subnets.items():
        yield from _zone(network.vpc, zone, both, answers.subnets)


def _zone(vpc: str, zone: str, both: ZoneSubnets, subnets: Mapping[str, SubnetAnswer]) -> Iterator[str]:
    for role, wanted in (("nodes", both.nodes), ("pods", both.pods)):
        found, where = subnets[wanted.id], f"network.subnets.{zone}.{role}: {wanted.id}"
        if found.vpc != vpc:
            yield f"{where} lies in {found.vpc}, not in network.vpc; write a subnet of that one"
        if found.zone != zone:
            yield f"{where} lies in {found.zone}; write it there, or a subnet of {zone}"
        if found.range != wanted.range:
            yield f"{where} has the range {found.range}, and policies are made of what is written; write that"
        if found.free < FEWEST_ADDRESSES:
            yield f"{where} has {found.free} addresses left, at least {FEWEST_ADDRESSES} are needed; take another"
    if INTERNAL not in subnets[both.nodes.id].tags:
        yield (
            f"network.subnets.{zone}.nodes: {both.nodes.id} lacks the tag by which load balancers find it; write: "
            f"aws ec2 create-tags --resources {both.nodes.id} --tags Key={INTERNAL},Value=1"
        )
