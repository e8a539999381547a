"""Ordinary containers, where no sandbox exists."""

from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.node import v1 as node

from components.contracts import Overhead, Sandbox
from components.kubernetes import names
from components.runtimes import placement
from stacks.runtime import RuncRuntime

HANDLER = "runc"
"""The name of the runtime that every containerd has."""


@dataclass(frozen=True, kw_only=True)
class RuncArgs:
    """Inputs of :class:`Runc`."""

    application_namespace: str
    """Prefix of the class's name, so that two stacks on one cluster do not share it."""
    settings: RuncRuntime


class Runc(pulumi.ComponentResource):
    """A pod that names the class runs on the computers' nodes, isolated as any container is and no better.

    The class exists although it changes no runtime: only a class can place Rakazo's plain pods.
    """

    sandbox: Sandbox

    def __init__(self, name: str, args: RuncArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:Runc", name, None, opts)
        runtime_class = names.runtime_class(args.application_namespace, "runc")
        registered = node.RuntimeClass(
            name,
            metadata=meta.ObjectMetaArgs(name=runtime_class, labels=names.labels(args.application_namespace)),
            handler=HANDLER,
            scheduling=placement.choose_scheduling(args.settings),
            opts=placement.replaced_as_a_whole(self),
        )
        self.sandbox = Sandbox(
            runtime="runc",
            runtime_class=runtime_class,
            ready=registered,
            overhead=Overhead(cpu="0", memory="0"),
            node_labels=placement.node_labels(args.settings),
            taints=placement.taint_keys(args.settings),
        )
        self.register_outputs({"runtime_class": runtime_class})
