"""A cluster as it is to be, with every address known: what all rendering starts from."""

from collections.abc import Sequence
from dataclasses import dataclass

from components.machines.firewall import FirewallArgs
from stacks.target.cluster_ranges import ClusterRanges
from stacks.target.gvisor import GvisorSettings
from stacks.target.k3s import K3sSettings
from stacks.target.machine import Pool, Role

API_PORT = 6443
"""Where k3s serves the Kubernetes API."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node."""

    name: str
    role: Role
    pool: Pool
    address: str
    """Where it is reached from outside."""
    private_address: str | None
    """Its address on the network that only nodes share; None: there is no such network."""
    hardware: str = ""
    """Type of a rented machine. With another one the machine was away for a while, and every step looks again."""

    @property
    def node_address(self) -> str:
        """The address under which other nodes know it."""
        return self.private_address or self.address

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address that it has, each once."""
        return tuple(dict.fromkeys(each for each in (self.address, self.private_address) if each is not None))

    @property
    def runs_computers(self) -> bool:
        """Whether it needs what isolates them."""
        return self.pool != "system"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A whole cluster."""

    stack: str
    nodes: Sequence[Node]
    """The first server begins the cluster."""
    ranges: ClusterRanges
    k3s: K3sSettings
    gvisor: GvisorSettings | None
    """None: computers run under something else."""
    needs_kvm: bool = False
    """Whether computers run in virtual machines of their own."""
    ssh_port: int
    admins: Sequence[str] | None
    """Who may reach SSH and the API beside the nodes; None: a firewall in front of the machines decides."""
    private: str | None = None
    """The private network, when it is the cloud's and no such firewall stands on it."""
    awaits_cloud_init: bool
    """Whether a machine is new and has to have made its first start."""
    never_begins: bool = False
    """Whether the first server was made anew, so that it joins the others and begins nothing."""

    def named(self, name: str) -> Node:
        """Return the node of this name."""
        (found,) = (node for node in self.nodes if node.name == name)
        return found

    @property
    def servers(self) -> list[Node]:
        """Nodes that run the Kubernetes API."""
        return [node for node in self.nodes if node.role == "server"]

    @property
    def is_private(self) -> bool:
        """Whether nodes share a network of their own; without one, what they say to each other is encrypted."""
        return all(node.private_address is not None for node in self.nodes)

    @property
    def firewall(self) -> FirewallArgs:
        """The firewall of every machine of it."""
        return FirewallArgs(
            pods=self.ranges.pods,
            kubernetes_service=self.ranges.kubernetes_service,
            nodes=[f"{address}/32" for node in self.nodes for address in node.addresses],
            ssh_port=self.ssh_port,
            admins=self.admins,
            private=self.private,
        )
