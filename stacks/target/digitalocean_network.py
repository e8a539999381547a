"""The addresses of a cluster at DigitalOcean: its VPC, its pods, its Services."""

from ipaddress import ip_network
from itertools import combinations
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from stacks.address_range import AddressRange, is_dialled
from stacks.base import Model

LARGEST = 16
SMALLEST_VPC, SMALLEST_PODS, SMALLEST_SERVICES = 24, 20, 22
"""Prefix lengths. Of the VPC: what DigitalOcean takes; of the others: what it advises against going below."""
PODS_OF_A_NODE = 25
"""Prefix length of one node's part of the pods' range."""
_UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"


def _private(text: str, smallest: int, example: str) -> str:
    if not is_dialled(text):
        raise ValueError(
            "lies outside 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16, which is all that DigitalOcean takes here; "
            f'write such as "{example}"'
        )
    if not LARGEST <= ip_network(text).prefixlen <= smallest:
        raise ValueError(f'must be between /{LARGEST} and /{smallest}; write such as "{example}"')
    return text


VpcRange = Annotated[AddressRange, AfterValidator(lambda text: _private(text, SMALLEST_VPC, "10.124.0.0/20"))]
PodRange = Annotated[AddressRange, AfterValidator(lambda text: _private(text, SMALLEST_PODS, "10.112.0.0/16"))]
ServiceRange = Annotated[AddressRange, AfterValidator(lambda text: _private(text, SMALLEST_SERVICES, "10.113.0.0/19"))]


class VpcSettings(Model):
    """The network that the nodes are in."""

    range: VpcRange = "10.124.0.0/20"
    """Its addresses. No other VPC of the account may have one of them."""
    id: Annotated[str, Field(pattern=_UUID)] | None = None
    """A VPC that exists, by its id (`doctl vpcs list`); `range` then says what it has. Unset: one is made."""


class ClusterNetwork(Model):
    """Ranges inside the cluster. They can never be changed, and no VPC of the account may overlap them."""

    pods: PodRange = "10.112.0.0/16"
    """Pods. Each node takes a /25 of it."""
    services: ServiceRange = "10.113.0.0/19"
    """Services."""

    @property
    def nodes(self) -> int:
        """How many nodes find room in the pods' range."""
        spare: int = PODS_OF_A_NODE - ip_network(self.pods).prefixlen
        return 1 << spare

    @model_validator(mode="after")
    def _ranges_are_apart(self) -> Self:
        if ip_network(self.pods).overlaps(ip_network(self.services)):
            raise ValueError(
                "pods and services overlap, and an address would be both; write the defaults, pods: 10.112.0.0/16 and "
                "services: 10.113.0.0/19, or two others that are apart"
            )
        return self


def collision(vpc: VpcSettings, network: ClusterNetwork) -> str | None:
    """Say which two of the three ranges overlap, or None."""
    ranges = {"vpc.range": vpc.range, "network.pods": network.pods, "network.services": network.services}
    for (one, first), (other, second) in combinations(ranges.items(), 2):
        if ip_network(first).overlaps(ip_network(second)):
            return (
                f"{one} and {other} overlap, and an address would be a node's and a pod's or a Service's; write the "
                "defaults: vpc.range 10.124.0.0/20, pods 10.112.0.0/16, services 10.113.0.0/19"
            )
    return None
