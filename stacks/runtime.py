"""What isolates a computer from the node it runs on."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from stacks.base import Model
from stacks.kata import CPU, KataChart, KataHandler, Shim, memory_beside
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


NOT_GVISOR = frozenset({"runc", "crun", "youki", "kata"})
"""Well-known handlers of other runtimes, by the part of their name before the first hyphen (`kata-qemu`)."""


def _checked_handler(handler: str) -> str:
    if handler.partition("-")[0] in NOT_GVISOR:
        raise ValueError(
            "is the handler of another runtime: the class would be called gVisor's and its pods would not run on "
            "gVisor. For Kata write kind: kata, for computers without a sandbox write kind: runc; for gVisor write the "
            "name under which the nodes' containerd knows it, such as handler: runsc"
        )
    return handler


Handler = Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"), AfterValidator(_checked_handler)]


class GvisorRuntime(Placement):
    """gVisor: a kernel of its own in user space, on any node whose containerd has its handler."""

    kind: Literal["gvisor"]
    """Which runtime this is."""
    handler: Handler = "runsc"
    """Name under which the nodes' containerd knows gVisor."""
    overhead: OverheadSettings = OverheadSettings(cpu="50m", memory="96Mi")
    """Sentry and gofer of one idle desktop; measured: 310 MiB against 220 MiB with runc, rounded up."""


class KataRuntime(Placement):
    """Kata Containers: a virtual machine around each computer, on nodes that have /dev/kvm."""

    kind: Literal["kata"]
    """Which runtime this is."""
    shim: Shim = "qemu-runtime-rs"
    """The hypervisor; its handler is called kata-<shim>."""
    handler: KataHandler | None = None
    """On a cluster that somebody else runs: name under which its nodes' containerd knows Kata."""
    overhead: OverheadSettings | None = None
    """Unset: 250m and 320Mi, or 130Mi for Cloud Hypervisor and Dragonball."""
    chart: KataChart = KataChart()
    """What installs Kata on the stack's own nodes."""

    @property
    def known_as(self) -> str:
        """Name under which the nodes' containerd knows it."""
        return self.handler or f"kata-{self.shim}"

    @property
    def cost(self) -> OverheadSettings:
        """What a virtual machine takes beside its containers."""
        return self.overhead or OverheadSettings(cpu=CPU, memory=memory_beside(self.known_as))


class RuncRuntime(Placement):
    """No sandbox: computers share the node's kernel. For trusted people on a cluster of their own."""

    kind: Literal["runc"]
    """Which runtime this is."""


Runtime = Annotated[GvisorRuntime | KataRuntime | RuncRuntime, Field(discriminator="kind")]
