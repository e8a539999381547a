"""A cluster of Amazon's Elastic Kubernetes Service, made and removed with the stack."""

from collections.abc import Iterator
from ipaddress import ip_network
from itertools import combinations
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from stacks.address_range import DIALLED, AddressRange
from stacks.base import Model
from stacks.kubernetes_version import MUTATES_ADMISSION, KubernetesVersion, parse_version
from stacks.target.admin_cidrs import AdminRange
from stacks.target.eks_identity import Account, Principal, account_of
from stacks.target.eks_network import EksNetwork, OwnNetwork, PrivateRange, nodes_of
from stacks.target.eks_place import Region, Zones, refused_zone
from stacks.target.eks_pool import ComputersNodes, SystemNodes
from stacks.target.gvisor import GvisorSettings

WIDEST_SERVICES, SMALLEST_SERVICES = 12, 24
"""Prefix lengths between which EKS takes a Service range."""


def _checked_admin(text: str) -> str:
    network = ip_network(text)
    if network.version != 4:  # noqa: PLR2004 - the IP version
        raise ValueError('is IPv6, and the API of this cluster answers on IPv4; write such as "198.51.100.7/32"')
    if any(network.overlaps(private) for private in DIALLED):
        raise ValueError(
            "is private, which nobody on the internet is and EKS refuses; who is inside the VPC reaches the API "
            "anyway. Write the public address that you come from (curl -4 https://ifconfig.co shows it)"
        )
    return text


def _checked_services(text: str) -> str:
    if not WIDEST_SERVICES <= ip_network(text).prefixlen <= SMALLEST_SERVICES:
        raise ValueError(f"must be between /{WIDEST_SERVICES} and /{SMALLEST_SERVICES}, which is what EKS takes")
    return text


AdminsOfApi = tuple[Annotated[AdminRange, AfterValidator(_checked_admin)], ...]
Services = Annotated[PrivateRange, AfterValidator(_checked_services)]


class EksTarget(Model):
    """A cluster, its nodes and its network, reached through its API alone: no node has a login."""

    kind: Literal["eks"]
    """Which target this is."""
    account: Account
    """Number of the AWS account, in quotes; with credentials of another one nothing is done."""
    region: Region
    """Region, such as eu-central-1."""
    zones: Zones
    """Two or three availability zones, as [eu-central-1a, eu-central-1b]. The first has the database."""
    kubernetes_version: KubernetesVersion
    """Major and minor in quotes, such as "1.36". One minor at a time, and never back."""
    administrators: Annotated[tuple[Principal, ...], Field(min_length=1)]
    """Roles that administer the cluster, as [arn:aws:iam::111122223333:role/rakazo-deploy]; the one that runs this
    program is among them."""
    admin_cidrs: AdminsOfApi
    """From where the Kubernetes API is reached, as ["198.51.100.7/32"]; [] is from inside the VPC only."""
    network: EksNetwork
    """The VPC."""
    services: Services = "172.20.0.0/16"
    """Range of Services. It can never be changed."""
    system: SystemNodes = SystemNodes()
    """Nodes of Rakazo itself."""
    computers: ComputersNodes = ComputersNodes()
    """Nodes of computers alone."""
    shared_files: StrictBool = False
    """Whether Rakazo's files lie on EFS, which every node mounts; else on a volume that one node mounts at a time."""
    protect: StrictBool = True
    """Whether cluster and volumes are protected from being deleted, here and at AWS."""
    gvisor: GvisorSettings | None = None
    """Which release of gVisor the computers' nodes get; needed where runtime.kind is gvisor."""

    @property
    def computers_machine(self) -> str:
        """Instance type of the computers' nodes."""
        return self.computers.type

    @property
    def node_ranges(self) -> dict[str, str]:
        """The subnet of nodes in each zone."""
        return self.network.node_ranges(self.zones)

    @property
    def pod_ranges(self) -> dict[str, str]:
        """The subnet of pods in each zone."""
        return self.network.pod_ranges(self.zones)

    @model_validator(mode="after")
    def _zones_are_of_the_region(self) -> Self:
        for zone in self.zones:
            reason = refused_zone(zone, self.region)
            if reason is not None:
                raise ValueError(f"zones: {reason}")
        if not isinstance(self.network, OwnNetwork) and set(self.network.subnets) != set(self.zones):
            raise ValueError(
                f"network.subnets: has {', '.join(sorted(self.network.subnets)) or 'none'}, and zones has "
                f"{', '.join(sorted(self.zones))}; write the subnets of each zone and of no other"
            )
        return self

    @model_validator(mode="after")
    def _pods_have_room(self) -> Self:
        # A cluster that is there keeps its ranges: with `protect: false` its file is read, and it can be ended.
        if self.protect and (reason := next(self._lacks_of_room(), None)):
            raise ValueError(f"{reason}. With protect: false this is a warning, and a cluster that is there can end")
        return self

    @model_validator(mode="after")
    def _administrators_are_of_the_account(self) -> Self:
        if len(set(self.administrators)) < len(self.administrators):
            raise ValueError("administrators: one is named twice, and EKS takes one entry for each; write it once")
        if foreign := [arn for arn in self.administrators if account_of(arn) != self.account]:
            raise ValueError(
                f"administrators: {len(foreign)} belong to another account than account, and EKS lets in those of the "
                "cluster's own; write a role of this account that they may assume"
            )
        return self

    @model_validator(mode="after")
    def _ranges_are_apart(self) -> Self:
        ranges: list[tuple[str, AddressRange]] = [("services", self.services)]
        if isinstance(self.network, OwnNetwork):
            ranges += [("network.nodes", self.network.nodes), ("network.pods", self.network.pods)]
        else:
            ranges += [("network.subnets", text) for text in (*self.node_ranges.values(), *self.pod_ranges.values())]
        for (one, first), (other, second) in combinations(ranges, 2):
            if ip_network(first).overlaps(ip_network(second)):
                raise ValueError(
                    f"{one} and {other} overlap, and an address would be two things; write such as "
                    "services: 172.20.0.0/16"
                )
        return self

    def _lacks_of_room(self) -> Iterator[str]:
        for number, (zone, text) in enumerate(self.pod_ranges.items()):
            nodes = (self.system.count if number == 0 else 0) + -(-self.computers.maximum // len(self.zones))
            room = nodes_of(text)
            if nodes > room:
                yield (
                    f"network: the pods of {zone} have {text}, from which {room} nodes get blocks of addresses, and "
                    f"there may be {nodes}; take a wider range, or fewer nodes"
                )

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        yield from (f"settings.target.{reason}." for reason in self._lacks_of_room())
        if not self.admin_cidrs:
            yield (
                "settings.target.admin_cidrs is empty: the Kubernetes API answers inside the VPC only, this program "
                "included. Run it there, or write the addresses that you come from."
            )
        if isinstance(self.network, OwnNetwork) and self.network.nat == "one":
            yield (
                "settings.target.network.nat is one: when the zone of the NAT gateway fails, no node reaches the "
                "internet. Write nat: per-zone where that matters more than its price."
            )
        if parse_version(self.kubernetes_version) < MUTATES_ADMISSION:
            yield (
                f"settings.target.kubernetes_version is {self.kubernetes_version}: AWS promises no policies for pods "
                "without an owner, which all computers are, and before 1.36 no computer waits for its own. One that "
                'gets none is open. Write kubernetes_version: "1.36", one minor at a time.'
            )
        if self.computers.minimum < self.computers.maximum:
            yield (
                "settings.target.computers: EKS adds no node by itself up to maximum; an autoscaler of yours does, or "
                "a person (aws eks update-nodegroup-config). Write minimum and maximum the same for a fixed number."
            )
        if not self.protect:
            yield (
                "settings.target.protect is false: `pulumi destroy` and a wrong `pulumi up` delete the cluster and all "
                "data on it without asking twice. Write protect: true as soon as that is done."
            )
