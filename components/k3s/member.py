"""A machine that is to be a node, before its addresses are known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pulumi

from components.k3s.plan import Node
from components.machines.login import Login
from stacks.target.machine import Pool, Role


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine that is there and can be logged in to."""

    login: Login
    identity: pulumi.Input[str] | None = None
    """Changes when another machine takes its place; None: nobody but its owner replaces it."""
    gone_with: pulumi.Resource | None = None
    """Takes everything on the machine with it when it is deleted; None: what was put on it is removed one by one."""


MakeMachine = Callable[[Sequence[pulumi.Resource]], Machine]
"""Makes a machine, or names one that exists, once what is given is there."""


@dataclass(frozen=True, kw_only=True)
class Member:
    """A node to be, and where its machine comes from."""

    key: str
    """Part of resource names, the same as long as the machine is in the settings."""
    name: str
    """Name of the node."""
    role: Role
    pool: Pool
    address: pulumi.Input[str]
    private_address: str | None
    make: MakeMachine
    hardware: str = ""
    """Type of a rented machine."""

    def node(self, address: str) -> Node:
        """Return the node, once its address is known."""
        return Node(
            name=self.name,
            role=self.role,
            pool=self.pool,
            address=address,
            private_address=self.private_address,
            hardware=self.hardware,
        )
