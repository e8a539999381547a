"""How large and how many computers may be that Docker runs."""

from collections.abc import Iterator
from math import ceil
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, PositiveInt, model_validator

from stacks.base import Model
from stacks.computer_mount import ComputerMount
from stacks.quantity import Cpu, Size, cpu_millis, size_bytes

RAKAZO_GIB = 4
"""What Rakazo with its database takes of a machine, as its own page on Docker says."""
LEAST_MEMORY = 512 * 2**20
"""A desktop with a browser does not start below it."""
FEWEST_PIDS = 256
GIB = 2**30


def _checked_memory(text: str) -> str:
    if size_bytes(text) < LEAST_MEMORY:
        raise ValueError("is too little for a desktop with a browser; write at least 512Mi")
    return text


class DockerComputers(Model):
    """Limits of one container, and how many the machine has room for."""

    kind: Literal["docker"]
    """Docker runs them, beside Rakazo on one machine."""
    cpu: Cpu = "2"
    """Cores that one computer may use at most."""
    memory: Annotated[Size, AfterValidator(_checked_memory)] = "2Gi"
    """Memory at which a computer is stopped; it gets no swap beside it."""
    pids: Annotated[int, Field(ge=FEWEST_PIDS)] = 2048
    """Processes and threads that one computer may have."""
    mounts: tuple[ComputerMount, ...] = ()
    """Folders of the machine that every computer sees."""
    maximum: PositiveInt = 4
    """Computers that one space of Rakazo may have, and for which the machine has room. Docker itself counts nobody."""

    @model_validator(mode="after")
    def _no_two_mounts_are_in_one_place(self) -> Self:
        targets = [mount.target for mount in self.mounts]
        if len(set(targets)) < len(targets):
            raise ValueError("mounts: two have the same target; give each folder its own place")
        return self

    @property
    def docker_memory(self) -> str:
        """The limit as Docker spells it."""
        return str(size_bytes(self.memory))

    @property
    def cores(self) -> int:
        """Whole cores that the machine has to have: Docker refuses a limit above what is there."""
        return ceil(cpu_millis(self.cpu) / 1000)

    def fitting(self, gib: float) -> int:
        """Return how many computers find their limit of memory in a machine of so many GiB, beside Rakazo."""
        return max(0, int((gib - RAKAZO_GIB) * GIB // size_bytes(self.memory)))

    @property
    def arithmetic(self) -> str:
        """What a machine needs, spelled out."""
        wanted = RAKAZO_GIB + self.maximum * size_bytes(self.memory) / GIB
        return (
            f"about {RAKAZO_GIB} GiB for Rakazo and {self.memory} for each of {self.maximum} computers, "
            f"{wanted:g} GiB together"
        )

    def fit(self, gib: float, machine: str) -> tuple[str, bool]:
        """Return what a preview says of a machine with so much memory, and whether all computers find room in it."""
        number = self.fitting(gib)
        told = f"{machine} has {gib:g} GiB: {number} computers fit ({self.arithmetic})"
        if number >= self.maximum:
            return told, True
        advice = f"computers.maximum is {self.maximum}; write maximum: {max(number, 1)}, a smaller computers.memory"
        return f"{told}. {advice}, or a larger machine", False

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        for mount in self.mounts:
            if not mount.read_only:
                yield (
                    f"settings.computers.mounts: {mount.source} can be written by every computer, and through it each "
                    "reaches all others. Write read_only: true unless that is wanted."
                )
