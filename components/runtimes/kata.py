"""Kata Containers as what isolates a computer."""

from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.helm import v3 as helm
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.node import v1 as node

from components.contracts import Overhead, OwnNodes, Sandbox
from components.kubernetes import names
from components.runtimes import kata_chart, placement
from components.runtimes.own_node import OwnNodeAlone, OwnNodeAloneArgs
from stacks.runtime import KataRuntime


@dataclass(frozen=True, kw_only=True)
class KataArgs:
    """Inputs of :class:`Kata`."""

    application_namespace: str
    """Prefix of the class's name, so that two stacks on one cluster do not share it."""
    settings: KataRuntime
    nodes: OwnNodes | None
    """Where Kata is installed; None: somebody else's nodes, which have it."""


class Kata(pulumi.ComponentResource):
    """A pod that names the class runs in a virtual machine of its own, on the computers' nodes, or not at all."""

    sandbox: Sandbox

    def __init__(self, name: str, args: KataArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:Kata", name, None, opts)
        settings, nodes = args.settings, args.nodes
        installed = [] if nodes is None else [self._install(f"{name}-deploy", args, nodes)]
        # A node has the handler from the moment at which the chart labels it.
        where = settings if nodes is None else placement.also_labelled(settings, {kata_chart.INSTALLED: "true"})
        runtime_class = names.runtime_class(args.application_namespace, "kata")
        overhead = Overhead(cpu=settings.cost.cpu, memory=settings.cost.memory)
        registered = node.RuntimeClass(
            name,
            metadata=meta.ObjectMetaArgs(name=runtime_class, labels=names.labels(args.application_namespace)),
            handler=settings.known_as,
            overhead=node.OverheadArgs(pod_fixed={"cpu": overhead.cpu, "memory": overhead.memory}),
            scheduling=placement.choose_scheduling(where),
            opts=placement.replaced_as_a_whole(self, installed),
        )
        self.sandbox = Sandbox(
            runtime="kata",
            runtime_class=runtime_class,
            ready=registered,
            overhead=overhead,
            node_labels=placement.node_labels(where),
            taints=placement.taint_keys(where),
        )
        self.register_outputs({"runtime_class": runtime_class})

    def _install(self, name: str, args: KataArgs, nodes: OwnNodes) -> helm.Release:
        """Declare the chart as a release of Helm: it works through hooks, which nothing else runs."""
        settings = args.settings
        # Before the right, so that there is no moment in which it holds for every node.
        limited = [self._limit(f"{name}-own-node", args.application_namespace)] if nodes.computers is None else []
        return helm.Release(
            name,
            helm.ReleaseArgs(
                name=kata_chart.CHART,
                namespace=kata_chart.NAMESPACE,
                chart=kata_chart.chart_reference(settings.chart),
                version=settings.chart.version,
                values=kata_chart.render_values(settings, nodes),
                timeout=kata_chart.SECONDS,
            ),
            pulumi.ResourceOptions(parent=self, depends_on=limited),
        )

    def _limit(self, name: str, application_namespace: str) -> OwnNodeAlone:
        """Keep what stays on the computers' nodes to its own node: its chart lets it patch all, and reach kubelets."""
        return OwnNodeAlone(
            name,
            OwnNodeAloneArgs(
                application_namespace=application_namespace,
                role=kata_chart.CHART,
                user=kata_chart.ACCOUNT,
                who=kata_chart.CHART,
                label=kata_chart.INSTALLED,
                kubelets=True,
            ),
            pulumi.ResourceOptions(parent=self),
        )
