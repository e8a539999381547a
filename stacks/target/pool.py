"""How many servers of which type are rented."""

from typing import Annotated

from pydantic import Field

from stacks.base import Model
from stacks.target.server_type import ServerType

MOST_COMPUTERS = 100
"""Machines for computers; the plan of private addresses has room for so many."""


class ServerPool(Model):
    """Servers that run the Kubernetes API and Rakazo itself."""

    type: ServerType = "cx43"
    """Server type of each. Changing it replaces nothing: Hetzner rescales the server, at today's prices."""
    count: Annotated[int, Field(ge=1)] = 1
    """One, three or five."""


class ComputersPool(Model):
    """Servers that run computers and nothing else."""

    type: ServerType = "cx43"
    """Server type of each."""
    count: Annotated[int, Field(ge=1, le=MOST_COMPUTERS)] = 1
    """How many."""
