"""The nodes of a cluster at AWS: how many, of which type."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from stacks.base import Model
from stacks.target.instance_type import InstanceType

SMALLEST_DISK, LARGEST_DISK = 30, 16_384
"""GiB: what the image and those of a stack take, and the most that a gp3 volume holds."""
MOST_SYSTEM, MOST_COMPUTERS = 20, 100
"""Nodes; EKS takes 450 of a group."""

Disk = Annotated[int, Field(ge=SMALLEST_DISK, le=LARGEST_DISK)]


class SystemNodes(Model):
    """Nodes of Rakazo itself. All are in the first zone, since a volume of the database leaves its zone never."""

    type: InstanceType = "m7i.xlarge"
    """Instance type. Another one makes new nodes, moves the pods and removes the old ones."""
    count: Annotated[int, Field(ge=1, le=MOST_SYSTEM)] = 2
    """How many."""
    disk: Disk = 50
    """GiB of each."""


class ComputersNodes(Model):
    """Nodes of computers and nothing else, in every zone."""

    type: InstanceType = "m7i.2xlarge"
    """Instance type. Another one makes new nodes and removes the old ones with the computers on them."""
    minimum: Annotated[int, Field(ge=0, le=MOST_COMPUTERS)] = 1
    """How many there are at least, and in the beginning."""
    maximum: Annotated[int, Field(ge=1, le=MOST_COMPUTERS)] = 3
    """How many there may be. EKS changes no number by itself: that is an autoscaler's work, or a person's."""
    disk: Disk = 100
    """GiB of each."""

    @model_validator(mode="after")
    def _the_least_is_not_the_most(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError(f"minimum is more than maximum; write maximum: {self.minimum}")
        return self
