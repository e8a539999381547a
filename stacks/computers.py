"""How large and how many computers may be."""

from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import Field, PositiveInt, model_validator

from stacks.base import Model
from stacks.quantity import Cpu, Size, cpu_millis, size_bytes

FIRST_SCREEN = 6100
"""First port of the screens of a computer with several; 6080 is the single screen's."""
PROVED_WITH = 3
"""Computers that a verification has at once: one looks, one is its neighbour, and one comes and goes."""


class Amount(Model):
    """An amount of cpu and memory."""

    cpu: Cpu
    """Cores, such as "2" or "500m"."""
    memory: Size
    """Memory, such as "4Gi"."""


class Reserve(Amount):
    """What one computer books on its node."""

    ephemeral_storage: Size = "1Gi"
    """Disk of the node."""


class NodePool(Model):
    """The nodes that computers run on."""

    count: PositiveInt
    """How many nodes; with autoscaling the most there may be."""
    allocatable: Amount
    """What one node offers pods (`kubectl get node -o jsonpath='{.status.allocatable}'`)."""


class ComputersSettings(Model):
    """Limits of one computer and the number of them."""

    cpu: Cpu = "2"
    """Cores that one computer may use at most."""
    memory: Size = "4Gi"
    """Memory at which a computer is stopped."""
    reserve: Reserve | None = None
    """What one computer books on its node. Unset: as much as its limits, since Rakazo writes limits only and
    Kubernetes copies them. A smaller reserve fits more computers on a node, which then share what is idle."""
    ephemeral_storage: Size = "10Gi"
    """Disk of the node that one computer may fill."""
    maximum: PositiveInt = 10
    """Computers that may exist at once; the quota of their namespace."""
    last_screen_port: Annotated[int, Field(ge=FIRST_SCREEN, le=6999)] = 6199
    """Screens listen on 6080 and from 6100 up to this port; api, worker and web may reach them."""
    nodes: NodePool | None = None
    """The nodes of the computers, when known: lets a preview say how many fit."""

    @property
    def booked(self) -> Reserve:
        """What the scheduler books for one computer, without the sandbox's overhead."""
        return self.reserve or Reserve(cpu=self.cpu, memory=self.memory, ephemeral_storage=self.ephemeral_storage)

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if self.maximum < PROVED_WITH:
            yield (
                f"settings.computers.maximum is {self.maximum}: a verification needs room for {PROVED_WITH} computers, "
                f"so some claims can never be checked, and a gate that is enforced stays closed. Write maximum: "
                f"{PROVED_WITH} or more."
            )

    @model_validator(mode="after")
    def _reserve_is_within_limits(self) -> Self:
        pairs = {
            "cpu": (cpu_millis(self.booked.cpu), cpu_millis(self.cpu)),
            "memory": (size_bytes(self.booked.memory), size_bytes(self.memory)),
            "ephemeral_storage": (
                size_bytes(self.booked.ephemeral_storage),
                size_bytes(self.ephemeral_storage),
            ),
        }
        for key, (booked, limit) in pairs.items():
            if booked > limit:
                raise ValueError(f"reserve.{key} is more than {key}; a computer cannot book more than its limit")
        return self


def computers_per_node(booked: Amount, node: Amount, overhead: Amount | None = None) -> int:
    """How many computers the scheduler puts on one node, each with its sandbox's overhead."""
    cpu, memory = cpu_millis(booked.cpu), size_bytes(booked.memory)
    if overhead is not None:
        cpu, memory = cpu + cpu_millis(overhead.cpu), memory + size_bytes(overhead.memory)
    return min(cpu_millis(node.cpu) // cpu, size_bytes(node.memory) // memory)
