"""gVisor as what isolates a computer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.node import v1 as node

from components.contracts import Overhead, Sandbox
from components.kubernetes import names
from components.runtimes import placement
from stacks.runtime import GvisorRuntime


@dataclass(frozen=True, kw_only=True)
class GvisorArgs:
    """Inputs of :class:`Gvisor`."""

    application_namespace: str
    """Prefix of the class's name, so that two stacks on one cluster do not share it."""
    settings: GvisorRuntime
    node_labels: Mapping[str, str] = field(default_factory=dict)
    """Labels, beside those of the settings, of the nodes that have gVisor."""
    after: Sequence[pulumi.Resource] = ()
    """What brings gVisor onto them."""


class Gvisor(pulumi.ComponentResource):
    """A pod that names the class runs on gVisor's kernel, on the computers' nodes, or not at all."""

    sandbox: Sandbox

    def __init__(self, name: str, args: GvisorArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:Gvisor", name, None, opts)
        runtime_class = names.runtime_class(args.application_namespace, "gvisor")
        where = placement.also_labelled(args.settings, args.node_labels)
        overhead = Overhead(cpu=args.settings.overhead.cpu, memory=args.settings.overhead.memory)
        registered = node.RuntimeClass(
            name,
            metadata=meta.ObjectMetaArgs(name=runtime_class, labels=names.labels(args.application_namespace)),
            handler=args.settings.handler,
            overhead=node.OverheadArgs(pod_fixed={"cpu": overhead.cpu, "memory": overhead.memory}),
            scheduling=placement.choose_scheduling(where),
            opts=placement.replaced_as_a_whole(self, args.after),
        )
        self.sandbox = Sandbox(
            runtime="gvisor",
            runtime_class=runtime_class,
            ready=registered,
            overhead=overhead,
            node_labels=placement.node_labels(where),
            taints=placement.taint_keys(where),
        )
        self.register_outputs({"runtime_class": runtime_class})
