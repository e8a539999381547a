"""The ranges that a cluster of our own gives to pods and Services, and what else must lie outside of them."""

from collections.abc import Iterable
from ipaddress import ip_address, ip_network
from typing import Annotated, Self

from pydantic import AfterValidator, model_validator

from stacks.address_range import AddressRange, refused_pod_range
from stacks.base import Model

IPV4 = 4
PODS_OF_A_NODE = 24
"""Prefix length of one node's part of the pod range; k3s' default."""
WIDEST_PODS = 16
SMALLEST_SERVICES = 24
LARGEST_SERVICES = 12
"""Prefix lengths between which the API server takes a Service range."""
DNS_HOST = 10
"""The cluster's DNS has the tenth address of the Service range, as k3s chooses by itself."""


def _checked_pods(text: str) -> str:
    network = ip_network(text)
    if network.version != IPV4:
        raise ValueError('is IPv6; this cluster runs on IPv4, write such as "10.42.0.0/16"')
    reason = refused_pod_range(text)
    if reason is not None:
        raise ValueError(reason)
    if not WIDEST_PODS <= network.prefixlen <= PODS_OF_A_NODE:
        raise ValueError(
            f"must be between /{WIDEST_PODS}, which is 256 nodes, and /{PODS_OF_A_NODE}, which one node alone takes"
        )
    return text


def _checked_services(text: str) -> str:
    network = ip_network(text)
    if network.version != IPV4:
        raise ValueError('is IPv6; this cluster runs on IPv4, write such as "10.43.0.0/16"')
    if not LARGEST_SERVICES <= network.prefixlen <= SMALLEST_SERVICES:
        raise ValueError(
            f"must be between /{LARGEST_SERVICES} and /{SMALLEST_SERVICES}, which is what the API server takes"
        )
    return text


class ClusterRanges(Model):
    """Ranges inside the cluster. They can never be changed: every node and Service has an address of them."""

    pods: Annotated[AddressRange, AfterValidator(_checked_pods)] = "10.42.0.0/16"
    """Pods. Inside RFC 1918, since Rakazo's web dials computers nowhere else; each node takes a /24 of it."""
    services: Annotated[AddressRange, AfterValidator(_checked_services)] = "10.43.0.0/16"
    """Services."""

    @property
    def kubernetes_service(self) -> str:
        """Address of the API server's Service: always the first."""
        return str(ip_network(self.services).network_address + 1)

    @property
    def dns(self) -> str:
        """Address of the cluster's DNS."""
        return str(ip_network(self.services).network_address + DNS_HOST)

    @property
    def overlays(self) -> tuple[str, ...]:
        """What a node calls itself on the network between pods: the first address of its part, as CIDR text."""
        return tuple(f"{part.network_address}/32" for part in ip_network(self.pods).subnets(new_prefix=PODS_OF_A_NODE))

    @property
    def nodes(self) -> int:
        """How many nodes find room in the pod range."""
        spare: int = PODS_OF_A_NODE - ip_network(self.pods).prefixlen
        return 1 << spare

    @model_validator(mode="after")
    def _ranges_are_apart(self) -> Self:
        if ip_network(self.pods).overlaps(ip_network(self.services)):
            raise ValueError(
                "pods and services overlap, and an address would be both; write the defaults, "
                "pods: 10.42.0.0/16 and services: 10.43.0.0/16, or two others that are apart"
            )
        return self

    def collision(self, addresses: Iterable[str]) -> str | None:
        """Say which address of a machine lies where pods or Services are, or None."""
        for address in addresses:
            for key, text in (("pods", self.pods), ("services", self.services)):
                if ip_address(address) in ip_network(text):
                    return (
                        f"{address} lies in network.{key}: a machine could not be told from a "
                        f"{'pod' if key == 'pods' else 'Service'}; write another range, such as "
                        f"{key}: {'10.244.0.0/16' if key == 'pods' else '10.245.0.0/16'}"
                    )
        return None
