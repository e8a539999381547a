"""One machine of the plan of rented ones: what it is called, what it is for, which address it has."""

from collections.abc import Mapping
from dataclasses import dataclass

from stacks.target.machine import Pool, Role
from stacks.target.pool import ComputersPool, ServerPool
from stacks.target.private_network import PrivateNetwork

GROUP = 10
"""Servers of one placement group; Hetzner's limit."""


@dataclass(frozen=True, kw_only=True)
class RentedMachine:
    """A machine, known before it exists."""

    key: str
    """`server-1`, `computers-2`: never changes for a machine, whatever else is added or removed."""
    role: Role
    pool: Pool
    type: str
    private_address: str | None
    """None: it shares a network with nobody."""
    group: str
    """Placement group: servers of one group never share a host."""
    generation: int
    """How often it was made anew."""


def rented_machines(
    servers: ServerPool, computers: ComputersPool | None, network: PrivateNetwork, rebuilt: Mapping[str, int]
) -> tuple[RentedMachine, ...]:
    """Return every machine. Adding one changes nothing about those before it."""
    made = [
        RentedMachine(
            key=f"server-{number}",
            role="server",
            pool="all" if computers is None else "system",
            type=servers.type,
            private_address=network.server(number),
            group="servers-1",
            generation=rebuilt.get(f"server-{number}", 0),
        )
        for number in range(1, servers.count + 1)
    ]
    if computers is None:
        return tuple(made)
    made += [
        RentedMachine(
            key=f"computers-{number}",
            role="agent",
            pool="computers",
            type=computers.type,
            private_address=network.computers(number),
            group=f"computers-{(number - 1) // GROUP + 1}",
            generation=rebuilt.get(f"computers-{number}", 0),
        )
        for number in range(1, computers.count + 1)
    ]
    return tuple(made)
