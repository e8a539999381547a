"""A cluster that Google runs in a project of yours."""

from collections.abc import Iterator
from ipaddress import IPv6Network, ip_network
from typing import Annotated, Literal, Self

from pydantic import Field, StrictBool, model_validator

from stacks.base import Model
from stacks.kubernetes_version import KubernetesVersion
from stacks.quantity import size_bytes
from stacks.target.admin_cidrs import AdminRanges
from stacks.target.gke_location import GkeLocation, Project, is_zone, region_of
from stacks.target.gke_network import GkeNetwork
from stacks.target.gke_pool import GkeComputersPool, GkeSystemPool

ZONES_OF_A_REGION = 3
SURGE = 1
"""Nodes that a pool has more of while its machines are made anew."""
SMALLEST_SHARED_VOLUME = "100Gi"
"""Of Filestore's cheapest tier, Basic HDD, on GKE 1.33 or newer."""


class GkeTarget(Model):
    """A cluster with its network, its two pools of machines and their account, all of them removed with the stack.

    Whoever runs the program needs `gcloud auth application-default login` or another of Google's own credentials; none
    is in the stack file.
    """

    kind: Literal["gke"]
    """Which target this is."""
    project: Project
    """Id of the project, as my-project-1."""
    location: GkeLocation
    """A zone, as europe-west3-a. A region has three control planes, pays for all of them, and has machines in each of
    its zones."""
    kubernetes_version: KubernetesVersion
    """Major and minor, in quotes: "1.36". Google upgrades to later ones by itself; write them here then."""
    release_channel: Literal["RAPID", "REGULAR", "STABLE", "EXTENDED"] = "REGULAR"
    """How early Google upgrades."""
    system: GkeSystemPool = GkeSystemPool()
    """Machines for Rakazo itself."""
    computers: GkeComputersPool = GkeComputersPool()
    """Machines for computers alone."""
    admin_cidrs: AdminRanges = ()
    """Who may reach the control plane's IP address, as ["198.51.100.7/32"]; [] is nobody, and switches the public one
    off. The DNS name is answered to whoever IAM knows, from anywhere."""
    network: GkeNetwork = GkeNetwork()
    """Ranges, and the network that they lie in."""
    dns: Literal["node-local", "cloud-dns"] = "node-local"
    """What resolves names for pods. Changing it makes every machine anew."""
    shared_storage: StrictBool = False
    """Whether the volume of api and worker is a Filestore, which several machines mount; false: a disk, and both run
    on one machine."""
    maintenance_start: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] = "03:00"
    """When the four hours begin in which Google upgrades and makes machines anew, in UTC."""
    protect: StrictBool = True
    """Whether the cluster is protected from being deleted, here and at Google, and disks outlive what they were made
    for. To end it: false, `pulumi up`, and only then `pulumi destroy`."""

    @property
    def region(self) -> str:
        """The region of the subnetwork and of the NAT."""
        return region_of(self.location)

    @property
    def zones(self) -> int:
        """How many zones a pool has machines in."""
        return 1 if is_zone(self.location) else ZONES_OF_A_REGION

    @property
    def computers_machine(self) -> str:
        """Machine type of the computers' nodes."""
        return self.computers.machine_type

    @model_validator(mode="after")
    def _administrators_have_ipv4(self) -> Self:
        if any(isinstance(ip_network(text), IPv6Network) for text in self.admin_cidrs):
            raise ValueError(
                "admin_cidrs: an IPv6 range is among them, and GKE's authorised networks are IPv4 alone; write the "
                "IPv4 address that you come from (curl -4 https://ifconfig.co shows it), or [] and use the DNS name"
            )
        return self

    @model_validator(mode="after")
    def _every_zone_may_have_a_machine(self) -> Self:
        if self.computers.maximum < self.zones:
            raise ValueError(
                f"computers.maximum: is {self.computers.maximum}, and the pool begins with a machine in each of the "
                f"{self.zones} zones of {self.location}; write maximum: {self.zones}"
            )
        return self

    @model_validator(mode="after")
    def _every_node_has_room(self) -> Self:
        most = self.system.count * self.zones + self.computers.maximum + 2 * SURGE
        if most > self.network.most_nodes:
            raise ValueError(
                f"there may be {most} nodes while pools are upgraded, and network.pods has room for "
                f"{self.network.most_nodes}; write a wider range, such as pods: 10.4.0.0/16, or fewer nodes"
            )
        return self

    def refused_data_volume(self, size: str) -> str | None:
        """Say why a volume of api and worker cannot be had, or None."""
        if not self.shared_storage or size_bytes(size) >= size_bytes(SMALLEST_SHARED_VOLUME):
            return None
        return (
            f"application.data_volume: the smallest Filestore has {SMALLEST_SHARED_VOLUME}; write data_volume: "
            f"{SMALLEST_SHARED_VOLUME}, or target.shared_storage: false"
        )

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if not is_zone(self.location):
            yield (
                f"settings.target.location is a region: system.count is per zone, so there are "
                f"{ZONES_OF_A_REGION * self.system.count} machines for the system, and no free credit pays for the "
                "control plane. Write a zone, such as location: europe-west3-a."
            )
        if not self.protect:
            yield (
                "settings.target.protect is false: `pulumi destroy` and a wrong `pulumi up` delete the cluster and all "
                "data in it without asking twice. Write protect: true as soon as that is done."
            )
