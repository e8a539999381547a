"""Ranges of a cluster of Google's, and the network that they lie in."""

from ipaddress import ip_network
from itertools import combinations
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from stacks.address_range import AddressRange, is_dialled
from stacks.base import Model

PODS_OF_A_NODE = 24
"""Prefix length of one node's part of the pod range, with the 110 pods that GKE allows it."""
NODES = (29, 8)
PODS = (21, 9)
SERVICES = (27, 16)
CONTROL_PLANE = (28, 28)
"""Prefix lengths that GKE takes, longest and shortest."""


def _private(text: str, lengths: tuple[int, int], example: str) -> str:
    if not is_dialled(text):
        raise ValueError(
            "lies outside 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16: to computers it would be part of the internet; "
            f'write such as "{example}"'
        )
    longest, shortest = lengths
    if not shortest <= ip_network(text).prefixlen <= longest:
        allowed = f"/{shortest}" if longest == shortest else f"between /{shortest} and /{longest}"
        raise ValueError(f'must be {allowed}, which is what GKE takes; write such as "{example}"')
    return text


NodesRange = Annotated[AddressRange, AfterValidator(lambda text: _private(text, NODES, "10.0.0.0/22"))]
PodsRange = Annotated[AddressRange, AfterValidator(lambda text: _private(text, PODS, "10.4.0.0/16"))]
ServicesRange = Annotated[AddressRange, AfterValidator(lambda text: _private(text, SERVICES, "10.8.0.0/20"))]
ControlPlaneRange = Annotated[AddressRange, AfterValidator(lambda text: _private(text, CONTROL_PLANE, "10.0.4.0/28"))]
ResourceName = Annotated[str, Field(pattern=r"^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$")]


class ExistingNetwork(Model):
    """A network of yours. Its ranges are written beside it and compared with the network at every preview."""

    network: ResourceName
    """Name of the VPC network, in the same project."""
    subnetwork: ResourceName
    """Name of the subnetwork for nodes, in the location's region."""
    pods_range: ResourceName
    """Name of its secondary range for pods."""
    services_range: ResourceName
    """Name of its secondary range for Services."""
    nat: StrictBool = True
    """Whether the stack makes a Cloud NAT for the subnetwork; false only where it has one, since nodes have no public
    address and would pull no image."""


class GkeNetwork(Model):
    """Ranges of the cluster. They can never be changed: another range is another cluster."""

    nodes: NodesRange = "10.0.0.0/22"
    """Nodes."""
    pods: PodsRange = "10.4.0.0/16"
    """Pods; each node takes a /24 of it."""
    services: ServicesRange = "10.8.0.0/20"
    """Services. Always written by the stack: GKE's own choice is 34.118.224.0/20, which is no private range."""
    control_plane: ControlPlaneRange = "10.0.4.0/28"
    """Where the control plane answers inside of the network."""
    existing: ExistingNetwork | None = None
    """A network to use; unset: the stack makes one."""

    @property
    def most_nodes(self) -> int:
        """How many nodes find room in the pod range."""
        spare: int = PODS_OF_A_NODE - ip_network(self.pods).prefixlen
        return 1 << spare if spare >= 0 else 0

    @model_validator(mode="after")
    def _ranges_are_apart(self) -> Self:
        ranges = {key: getattr(self, key) for key in ("nodes", "pods", "services", "control_plane")}
        for (first, one), (second, other) in combinations(ranges.items(), 2):
            if ip_network(one).overlaps(ip_network(other)):
                raise ValueError(
                    f"{first} and {second} overlap, and an address would be both; write the defaults: nodes: "
                    "10.0.0.0/22, pods: 10.4.0.0/16, services: 10.8.0.0/20, control_plane: 10.0.4.0/28"
                )
        return self
