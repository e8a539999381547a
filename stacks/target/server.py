"""Linux machines that exist already and become a cluster of their own."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from stacks.base import Model
from stacks.target.admin_cidrs import NOBODY, AdminRanges
from stacks.target.cluster_ranges import ClusterRanges
from stacks.target.gvisor import GvisorSettings
from stacks.target.k3s import K3sSettings
from stacks.target.machine import Machine
from stacks.target.quorum import refused_server_count
from stacks.target.ssh import SshSettings


class ServerTarget(Model):
    """One or more Linux machines, reached over SSH, on which k3s and gVisor are installed."""

    kind: Literal["server"]
    """Which target this is."""
    admin_cidrs: AdminRanges
    """Who may reach SSH and the Kubernetes API, as ["198.51.100.7/32"]. The machines themselves always may; [] is
    nobody else."""
    ssh: SshSettings = SshSettings()
    """How the machines are logged in to."""
    machines: Annotated[tuple[Machine, ...], Field(min_length=1)]
    """The machines. The first server begins the cluster; new ones go to the end of the list."""
    k3s: K3sSettings
    """Which release of k3s."""
    gvisor: GvisorSettings | None = None
    """Which release of gVisor. Needed when computers run under it, and else not installed."""
    network: ClusterRanges = ClusterRanges()
    """Ranges inside the cluster."""

    @property
    def servers(self) -> tuple[Machine, ...]:
        """The machines that run the Kubernetes API, the first of which begins the cluster."""
        return tuple(machine for machine in self.machines if machine.role == "server")

    @property
    def kubernetes_version(self) -> str:
        """Major and minor of Kubernetes."""
        return self.k3s.kubernetes_version

    @model_validator(mode="after")
    def _no_two_are_the_same(self) -> Self:
        told = {
            "name": [machine.name for machine in self.machines],
            "address": [address for machine in self.machines for address in dict.fromkeys(machine.addresses)],
            "host_key": [machine.host_key for machine in self.machines],
        }
        for key, values in told.items():
            if _twice(values):
                raise ValueError(f"machines: two have the same {key}; each machine is listed once and has its own")
        return self

    @model_validator(mode="after")
    def _the_database_has_a_quorum(self) -> Self:
        reason = refused_server_count(len(self.servers))
        if reason is not None:
            raise ValueError(f"machines: {reason}")
        return self

    @model_validator(mode="after")
    def _every_pool_has_a_machine(self) -> Self:
        pools = {machine.pool for machine in self.machines}
        if not pools & {"computers", "all"}:
            raise ValueError("machines: none is for computers; write pool: computers on an agent, or pool: all")
        return self

    @model_validator(mode="after")
    def _addresses_can_be_told_apart(self) -> Self:
        private = [machine.private_address is not None for machine in self.machines]
        if any(private) and not all(private):
            raise ValueError(
                "machines: some have a private_address and some have none, and could not reach each other; write "
                "it on every machine or on none"
            )
        fault = self.network.collision(address for machine in self.machines for address in machine.addresses)
        if fault is not None:
            raise ValueError(fault)
        if len(self.machines) > self.network.nodes:
            raise ValueError(
                f"machines: there are {len(self.machines)}, and network.pods has room for {self.network.nodes}; write "
                "a wider range, such as pods: 10.42.0.0/16"
            )
        return self

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if not self.admin_cidrs:
            yield NOBODY
        yield from self.k3s.warnings()
        shared = [machine.name for machine in self.machines if machine.pool == "all"]
        if shared:
            yield (
                f"settings.target.machines: computers share {', '.join(shared)} with Rakazo, its database and, on a "
                "server, the Kubernetes API: whoever breaks out of a sandbox has all of it, and busy computers slow "
                "down the rest. Add a machine with role: agent and pool: computers, and write pool: system here."
            )


def _twice(values: Iterable[str]) -> bool:
    return any(count > 1 for count in Counter(values).values())
