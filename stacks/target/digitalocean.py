"""A cluster that DigitalOcean runs, with its nodes and its network."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, StrictBool, model_validator

from stacks.base import Model
from stacks.kubernetes_version import KubernetesVersion
from stacks.quantity import size_bytes
from stacks.target.admin_cidrs import NOBODY, AdminRanges
from stacks.target.digitalocean_network import ClusterNetwork, VpcSettings, collision
from stacks.target.digitalocean_pool import ElasticPool, SystemPool
from stacks.target.digitalocean_region import Region, reserved
from stacks.target.gvisor import GvisorSettings
from stacks.target.maintenance_window import MaintenanceWindow

GIB = 1024**3


class NfsSettings(Model):
    """A share of DigitalOcean's Network File Storage, which several nodes mount at once."""

    size: Annotated[int, Field(ge=50)] = 50
    """GiB; it grows and never shrinks."""
    performance_tier: Literal["standard", "high"] = "standard"
    """`standard` can become `high`, never the other way round."""


class DigitalOceanTarget(Model):
    """A managed cluster (DOKS), its pools, its VPC and the firewall of its API, all made and removed with the stack."""

    kind: Literal["digitalocean"]
    """Which target this is."""
    region: Region
    """Where, as fra1."""
    kubernetes_version: KubernetesVersion
    """Major and minor in quotes: "1.36". The newest patch of it is taken; the next minor is an upgrade in place."""
    ha: StrictBool = False
    """Whether the control plane runs several times over, for $40 a month more. It can never be switched off again,
    and DigitalOcean would switch it on by itself from 1.36 on. Without it the API pauses while it is upgraded or fails
    over; computers and Rakazo go on."""
    admin_cidrs: AdminRanges
    """Who may reach the Kubernetes API, as ["198.51.100.7/32"]. The nodes always may; [] is nobody else."""
    vpc: VpcSettings = VpcSettings()
    """The network of the nodes."""
    network: ClusterNetwork = ClusterNetwork()
    """Ranges inside the cluster."""
    system: SystemPool = SystemPool()
    """Nodes for Rakazo itself."""
    computers: ElasticPool = ElasticPool()
    """Nodes for computers alone."""
    nfs: NfsSettings | None = None
    """A share for the files of Rakazo, so that api and worker need not be on one node. Unset: they share a node."""
    auto_upgrade: StrictBool = True
    """Whether patches of Kubernetes are installed in the window by themselves; minors never are."""
    maintenance: MaintenanceWindow = MaintenanceWindow()
    """When DigitalOcean may restart nodes."""
    destroy_all_associated_resources: StrictBool
    """Whether a destroy takes along the volumes with all data, their snapshots, and load balancers. false: they stay
    and cost on, until somebody removes them."""
    protect: StrictBool = True
    """Whether cluster and VPC are protected from being deleted."""
    gvisor: GvisorSettings
    """Which release of gVisor the nodes get."""

    @model_validator(mode="after")
    def _ranges_are_free(self) -> Self:
        fault = collision(self.vpc, self.network)
        if fault is not None:
            raise ValueError(fault)
        ranges = {
            "vpc.range": self.vpc.range,
            "network.pods": self.network.pods,
            "network.services": self.network.services,
        }
        for key, text in ranges.items():
            own = reserved(self.region, text)
            if own is not None:
                raise ValueError(
                    f"{key} overlaps {own}, which DigitalOcean keeps for itself in {self.region}; write the default, "
                    "or another range of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16"
                )
        return self

    @model_validator(mode="after")
    def _nodes_find_room(self) -> Self:
        most = 1 + self.system.count + self.computers.maximum
        if most > self.network.nodes:
            raise ValueError(
                f"there may be {most} nodes, and network.pods has room for {self.network.nodes}; write a wider range, "
                "such as pods: 10.112.0.0/16"
            )
        return self

    def refused_data_volume(self, size: str) -> str | None:
        """Say why the files' volume cannot be had in this size, or None."""
        if self.nfs is None or size_bytes(size) <= self.nfs.size * GIB:
            return None
        return (
            f"application.data_volume: {size} is more than target.nfs.size, which is {self.nfs.size} GiB: the claim "
            "would never be bound; write a larger nfs.size, or a smaller data_volume"
        )

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if not self.admin_cidrs:
            yield NOBODY
        if self.ha:
            yield (
                "settings.target.ha is true: the control plane costs $40 a month more, and it can never be switched "
                "off for this cluster."
            )
        if not self.protect:
            yield (
                "settings.target.protect is false: `pulumi destroy` and a wrong `pulumi up` delete the cluster without "
                "asking twice. Write protect: true as soon as that is done."
            )
