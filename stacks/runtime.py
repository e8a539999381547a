"""What isolates a computer from the node it runs on."""

from typing import Annotated, Literal

from pydantic import Field

from stacks.base import Model
from stacks.quantity import Cpu, Size


class OverheadSettings(Model):
    """What a sandbox costs per pod beside its containers; the scheduler and the quota count it."""

    cpu: Cpu
    """Cores, such as "50m"."""
    memory: Size
    """Memory, such as "64Mi"."""


class Toleration(Model):
    """A taint that computers put up with."""

    key: str
    """Key of the taint."""
    value: str
    """Value of the taint."""
    effect: Literal["NoSchedule", "NoExecute"] = "NoSchedule"
    """Effect of the taint."""


POOL = {"rakazo-infra/pool": "computers"}
POOL_TAINT = Toleration(key="rakazo-infra/pool", value="computers")


class Placement(Model):
    """Where computers run. Rakazo's pods say nothing about it, so the RuntimeClass does."""

    node_selector: dict[str, str] = Field(default_factory=lambda: dict(POOL))
    """Labels of the nodes that computers run on. Empty: every node."""
    tolerations: tuple[Toleration, ...] = (POOL_TAINT,)
    """Taints of those nodes."""


class GvisorRuntime(Placement):
    """gVisor: a kernel of its own in user space, on any node whose containerd has its handler."""

    kind: Literal["gvisor"]
    """Which runtime this is."""
    handler: Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")] = "runsc"
    """Name under which the nodes' containerd knows gVisor."""
    overhead: OverheadSettings = OverheadSettings(cpu="50m", memory="96Mi")
    """Sentry and gofer of one idle desktop; measured: 310 MiB against 220 MiB with runc, rounded up."""


class RuncRuntime(Placement):
    """No sandbox: computers share the node's kernel. For trusted people on a cluster of their own."""

    kind: Literal["runc"]
    """Which runtime this is."""


Runtime = Annotated[GvisorRuntime | RuncRuntime, Field(discriminator="kind")]
