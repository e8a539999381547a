"""Servers that are rented at Hetzner Cloud and become a cluster of their own."""

from collections.abc import Iterator
from ipaddress import ip_network
from itertools import product
from typing import Self

from pydantic import Field, PositiveInt, model_validator

from stacks.object_name import ObjectName
from stacks.target.admin_cidrs import NOBODY
from stacks.target.cluster_ranges import ClusterRanges
from stacks.target.gvisor import GvisorSettings
from stacks.target.k3s import K3sSettings
from stacks.target.pool import ComputersPool, ServerPool
from stacks.target.private_network import PrivateNetwork
from stacks.target.quorum import refused_server_count
from stacks.target.rented import RentedTarget
from stacks.target.rented_machine import RentedMachine, rented_machines
from stacks.target.server_type import refused_in_zone


class HetznerTarget(RentedTarget):
    """Servers, addresses, a private network and a firewall, with k3s on the servers."""

    servers: ServerPool = ServerPool()
    """Servers of the cluster itself."""
    computers: ComputersPool | None = None
    """Servers for computers alone; unset: computers share the servers with everything else."""
    private: PrivateNetwork = PrivateNetwork()
    """The network between the servers."""
    network: ClusterRanges = ClusterRanges()
    """Ranges inside the cluster."""
    k3s: K3sSettings
    """Which release of k3s."""
    gvisor: GvisorSettings | None = None
    """Which release of gVisor. Needed when computers run under it, and else not installed."""
    rebuild: dict[ObjectName, PositiveInt] = Field(default_factory=dict)
    """Machine to number, as {server-1: 1}; raising the number makes that machine anew from nothing."""

    @property
    def machines(self) -> tuple[RentedMachine, ...]:
        """Every machine, the first of which begins the cluster."""
        return rented_machines(self.servers, self.computers, self.private, self.rebuild)

    @property
    def kubernetes_version(self) -> str:
        """Major and minor of Kubernetes."""
        return self.k3s.kubernetes_version

    @model_validator(mode="after")
    def _the_database_has_a_quorum(self) -> Self:
        reason = refused_server_count(self.servers.count)
        if reason is not None:
            raise ValueError(f"servers.count: {reason}")
        return self

    @model_validator(mode="after")
    def _types_are_sold_there(self) -> Self:
        pools = {"servers": self.servers, "computers": self.computers}
        for key, pool in pools.items():
            reason = None if pool is None else refused_in_zone(pool.type, self.zone)
            if reason is not None:
                raise ValueError(f"{key}.type: {reason}")
        return self

    @model_validator(mode="after")
    def _ranges_are_apart(self) -> Self:
        inside = {"network.pods": self.network.pods, "network.services": self.network.services}
        for (key, text), private in product(inside.items(), (self.private.range,)):
            if ip_network(text).overlaps(ip_network(private)):
                raise ValueError(
                    f"{key} and private.range overlap, and an address would be both a machine's and a pod's or a "
                    "Service's; write the defaults: private.range 10.0.0.0/16, pods 10.42.0.0/16, services "
                    "10.43.0.0/16"
                )
        if len(self.machines) > self.network.nodes:
            raise ValueError(
                f"there are {len(self.machines)} machines, and network.pods has room for {self.network.nodes}; write "
                "a wider range, such as pods: 10.42.0.0/16"
            )
        return self

    @model_validator(mode="after")
    def _only_machines_are_rebuilt(self) -> Self:
        keys = [machine.key for machine in self.machines]
        unknown = sorted(set(self.rebuild) - set(keys))
        if unknown:
            raise ValueError(f"rebuild: there is no machine {', '.join(unknown)}; there are {', '.join(keys)}")
        return self

    @model_validator(mode="after")
    def _virtual_machines_have_no_kvm(self) -> Self:
        if self.gvisor is not None and self.gvisor.platform == "kvm":
            raise ValueError(
                "gvisor.platform: kvm needs /dev/kvm, which no server of Hetzner Cloud has; write platform: systrap"
            )
        return self

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if not self.admin_cidrs:
            yield NOBODY
        yield from self.k3s.warnings()
        if self.computers is None:
            yield (
                "settings.target.computers is unset: computers share the servers with Rakazo, its database and the "
                "Kubernetes API: whoever breaks out of a sandbox has all of it, and busy computers slow down the "
                "rest. Write computers: {type: cx43, count: 1}."
            )
        if not self.protect:
            yield (
                "settings.target.protect is false: `pulumi destroy` and a wrong `pulumi up` delete servers and all "
                "data on them without asking twice. Write protect: true as soon as that is done."
            )
