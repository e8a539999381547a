"""A sandbox that the cloud brings with its class, which is used as it is."""

from dataclasses import dataclass

import pulumi

from components.contracts import Overhead, Sandbox
from stacks.runtime import GvisorRuntime

CLASS = "gvisor"
"""The RuntimeClass of GKE Sandbox. Google makes it together with the first pool that has the sandbox."""
POOL = "sandbox.gke.io/runtime"
"""Label and taint of the nodes of such a pool; the class selects the one and tolerates the other."""


@dataclass(frozen=True, kw_only=True)
class ManagedArgs:
    """Inputs of :class:`Managed`."""

    settings: GvisorRuntime


class Managed(pulumi.ComponentResource):
    """A pod that names the cloud's class runs on gVisor, on the nodes that the cloud keeps for it.

    Nothing is made and nothing is read: the class comes some time after its pool, so the first preview would find
    none. That it is there, and is gVisor, is what the proof sees in a pod that names it.
    """

    sandbox: Sandbox

    def __init__(self, name: str, args: ManagedArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:Managed", name, None, opts)
        # What the cloud's class books is its own; counting too much in the quota refuses no computer.
        overhead = Overhead(cpu=args.settings.overhead.cpu, memory=args.settings.overhead.memory)
        self.sandbox = Sandbox(
            runtime="gvisor",
            runtime_class=CLASS,
            ready=self,
            overhead=overhead,
            node_labels=((POOL, CLASS),),
            taints=(POOL,),
        )
        self.register_outputs({"runtime_class": CLASS})
