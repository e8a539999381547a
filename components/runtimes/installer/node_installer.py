"""gVisor on every computers' node of a cluster, kept there from inside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.node import v1 as node

from components.contracts import Cluster
from components.kubernetes import names as kubernetes_names
from components.runtimes import placement
from components.runtimes.installer import names, pods, program
from components.runtimes.installer.accounts import Accounts, AccountsArgs
from components.runtimes.installer.network import InstallerNetwork, InstallerNetworkArgs
from components.runtimes.installer.pods import PodsArgs
from stacks.runtime import GvisorRuntime
from stacks.target.gvisor import GvisorSettings


@dataclass(frozen=True, kw_only=True)
class NodeInstallerArgs:
    """Inputs of :class:`NodeInstaller`."""

    application_namespace: str
    cluster: Cluster
    gvisor: GvisorSettings
    runtime: GvisorRuntime
    image: str
    """An image with Python; the computers', which their nodes have anyway."""


class NodeInstaller(pulumi.ComponentResource):
    """Every node of the computers' pool gets gVisor, and the label `rakazo-infra/gvisor` once a pod has run under it.

    A node that is new, replaced or reset is set up as it comes; on a destroy gVisor goes from each node again.
    """

    ready: pulumi.Resource
    """The daemon set of provers: there once every node that there is has proven itself."""
    node_labels: Mapping[str, str]
    """Labels of the nodes that have."""

    def __init__(self, name: str, args: NodeInstallerArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:NodeInstaller", name, None, opts)
        application = args.application_namespace
        labels = kubernetes_names.labels(application)
        space = names.namespace(application)
        namespace = core.Namespace(
            f"{name}-namespace",
            metadata=meta.ObjectMetaArgs(
                name=space,
                # Folders of the node are for privileged namespaces alone, however little a pod does with them.
                labels={**labels, "pod-security.kubernetes.io/enforce": "privileged"},
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        network = InstallerNetwork(
            f"{name}-network",
            InstallerNetworkArgs(
                application_namespace=application,
                network=args.cluster.network,
                dns=args.cluster.dns,
                mirror=args.gvisor.url,
                after=namespace,
            ),
            pulumi.ResourceOptions(parent=self),
        )
        closed = [namespace, *network.objects]
        accounts = Accounts(
            f"{name}-accounts",
            AccountsArgs(application_namespace=application, after=closed),
            pulumi.ResourceOptions(parent=self),
        )
        text = core.ConfigMap(
            f"{name}-program",
            metadata=meta.ObjectMetaArgs(name=names.PROGRAM, namespace=space, labels=labels),
            data=dict(program.modules()),
            opts=pulumi.ResourceOptions(parent=self, depends_on=closed),
        )
        check_class = names.cluster_wide(application, names.PROVER)
        made = PodsArgs(
            application_namespace=application,
            image=args.image,
            gvisor=args.gvisor,
            runtime=args.runtime,
            check_class=check_class,
        )
        installer = self._on_every_node(
            f"{name}-{names.INSTALLER}", names.INSTALLER, made, pods.installer(made), [*closed, *accounts.ready, text]
        )
        unproven = node.RuntimeClass(
            f"{name}-class",
            metadata=meta.ObjectMetaArgs(name=check_class, labels=labels),
            handler=args.runtime.handler,
            overhead=node.OverheadArgs(
                pod_fixed={"cpu": args.runtime.overhead.cpu, "memory": args.runtime.overhead.memory}
            ),
            scheduling=placement.choose_scheduling(args.runtime),
            opts=placement.replaced_as_a_whole(self),
        )
        self.ready = self._on_every_node(
            f"{name}-{names.PROVER}",
            names.PROVER,
            made,
            pods.prover(made),
            [*closed, *accounts.ready, text, installer, unproven],
        )
        self.node_labels = {names.LABEL: names.READY}
        self.register_outputs({})

    def _on_every_node(
        self,
        name: str,
        role: str,
        args: PodsArgs,
        template: core.PodTemplateSpecArgs,
        after: Sequence[pulumi.Resource],
    ) -> apps.DaemonSet:
        labels = pods.labels(args, role)
        return apps.DaemonSet(
            name,
            metadata=meta.ObjectMetaArgs(
                name=role, namespace=names.namespace(args.application_namespace), labels=labels
            ),
            spec=apps.DaemonSetSpecArgs(
                selector=meta.LabelSelectorArgs(
                    match_labels=kubernetes_names.selector(args.application_namespace, role)
                ),
                template=template,
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=after),
        )
