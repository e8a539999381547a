"""How many machines of which type a cluster of Google's has."""

from typing import Annotated, Self

from pydantic import Field, PositiveInt, model_validator

from stacks.base import Model
from stacks.target.gke_machine import MachineType, SystemMachineType

SMALLEST_DISK = 30
"""GB: the system and its images alone take some twenty."""

DiskSize = Annotated[int, Field(ge=SMALLEST_DISK, le=65536)]


class GkeSystemPool(Model):
    """Machines that run Rakazo itself and what the cluster needs."""

    machine_type: SystemMachineType = "e2-standard-4"
    """Machine type of each. Changing it makes the machines anew, one after the other; volumes move along."""
    count: PositiveInt = 1
    """How many; in a region, how many in each of its zones."""
    disk_gb: DiskSize = 50
    """Size of each one's own disk, in GB."""


class GkeComputersPool(Model):
    """Machines that run computers and nothing else; Google adds and removes them as computers come and go."""

    machine_type: MachineType = "e2-standard-8"
    """Machine type of each. Changing it makes the machines anew, and ends the computers on them."""
    minimum: Annotated[int, Field(ge=0)] = 1
    """Fewest machines; with 0 there is one in the beginning, and later the first computer waits some two minutes."""
    maximum: PositiveInt = 3
    """Most machines, in all zones together; in a region at least 3, one for each zone."""
    disk_gb: DiskSize = 100
    """Size of each one's own disk, in GB; images and what computers write share it."""

    @model_validator(mode="after")
    def _minimum_is_less(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError(
                f"minimum is {self.minimum} and maximum {self.maximum}: there is no number between them; write "
                f"maximum: {self.minimum} or a smaller minimum"
            )
        return self
