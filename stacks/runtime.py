"""What isolates a computer from the node it runs on."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

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


NOT_GVISOR = frozenset({"runc", "crun", "youki", "kata"})
"""Well-known handlers of other runtimes, by the part of their name before the first hyphen (`kata-qemu`)."""


def _checked_handler(handler: str) -> str:
    if handler.partition("-")[0] in NOT_GVISOR:
        raise ValueError(
            "is the handler of another runtime: the class would be called gVisor's and its pods would not run on "
            "gVisor. For computers without a sandbox write kind: runc; for gVisor write the name under which the "
            "nodes' containerd knows it, such as handler: runsc"
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


class RuncRuntime(Placement):
    """No sandbox: computers share the node's kernel. For trusted people on a cluster of their own."""

    kind: Literal["runc"]
    """Which runtime this is."""


Runtime = Annotated[GvisorRuntime | RuncRuntime, Field(discriminator="kind")]


def refused_runtime(kind: object, target: object) -> str | None:
    """Say why a runtime that exists elsewhere is none here, by the kinds as a stack file has them; None otherwise."""
    if kind != "kata":
        return None
    if target == "hetzner":
        return (
            "runtime.kind: kata needs virtualization inside the machine, and no server of Hetzner Cloud has it: every "
            "computer would fail to start. Write runtime: {kind: gvisor}, which is offered here"
        )
    return "runtime.kind: kata is not offered yet; write runtime: {kind: gvisor}"
