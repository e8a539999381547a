"""The whole stack, top to bottom, in the order in which data flows."""

from typing import assert_never

import pulumi

from components.contracts import Application, Cluster, Proof, Sandbox
from components.edge.node_port import NodePort, NodePortArgs
from components.proof.facts import gather_facts, installed_runtime
from components.proof.gate import Gate, GateArgs
from components.rakazo.application import Rakazo, RakazoArgs
from components.runtimes.gvisor import Gvisor, GvisorArgs
from components.runtimes.installer.node_installer import NodeInstaller, NodeInstallerArgs
from components.runtimes.kata import Kata, KataArgs
from components.runtimes.managed import Managed, ManagedArgs
from components.runtimes.runc import Runc, RuncArgs
from stacks.docker_stack import DockerStackSettings
from stacks.edge import Edge, NodePortEdge
from stacks.matrix import Way
from stacks.runtime import GvisorRuntime, KataRuntime, RuncRuntime, Runtime
from stacks.secrets import Secrets
from stacks.settings import StackSettings
from stacks.target import DigitalOceanTarget, EksTarget, ExistingTarget, GkeTarget, HetznerTarget, ServerTarget, Target

ISOLATION = {
    "enforce": "proven before the way in opened; rakazo-infra verify proves it again",
    "report": "NOT ENFORCED (proof.gate: report): the way in is open whether the claims hold or not",
}
"""What the stack exports about its gate."""


def deploy(settings: StackSettings | DockerStackSettings, secrets: Secrets) -> dict[str, pulumi.Input[str]]:
    """Declare every resource of the stack and return what it exports.

    Only a kubeconfig is secret in it, and only where the stack made the cluster itself.
    """
    for warning in settings.warnings():
        pulumi.log.warn(warning)
    isolation = ISOLATION[settings.proof.gate]
    if isinstance(settings, DockerStackSettings):
        from components.docker_deployment import deploy_docker

        return {**deploy_docker(settings, secrets), "isolation": isolation}

    cluster = _target(settings.target, settings.runtime, secrets)
    in_cluster = pulumi.ResourceOptions(provider=cluster.provider)

    sandbox = _runtime(settings, cluster, in_cluster)
    application = Rakazo(
        "rakazo",
        RakazoArgs(
            cluster=cluster,
            sandbox=sandbox,
            application=settings.application,
            computers=settings.computers,
            images=settings.images,
            secrets=secrets,
        ),
        in_cluster,
    ).application
    facts = gather_facts(cluster, sandbox, application, settings)
    proof = Gate(
        "proof",
        GateArgs(
            access=cluster.access,
            application=application,
            facts=facts,
            runtime=installed_runtime(settings),
            mode=settings.proof.gate,
        ),
        in_cluster,
    ).proof
    _edge(settings.edge, cluster, application, proof, in_cluster)

    made = {} if isinstance(settings.target, ExistingTarget) else {"kubeconfig": cluster.access.kubeconfig}
    return {
        **made,
        "url": settings.application.public.origin,
        "namespace": application.namespace,
        "computers_namespace": application.computers_namespace,
        "runtime_class": sandbox.runtime_class,
        "isolation": isolation,
        "facts": facts.apply(lambda known: known.pack()),
    }


def _target(target: Target, runtime: Runtime, secrets: Secrets) -> Cluster:
    """Declare the cluster. A target's module is imported only here: a stack has the packages of its own target.

    Of the runtime it is told the kind, and makes its machines fit for it.
    """
    stack = pulumi.get_stack()
    match target:
        case ExistingTarget():
            from components.targets.existing import ExistingCluster

            return ExistingCluster("cluster", target).cluster
        case ServerTarget():
            from components.targets.server import ServerCluster, ServerClusterArgs

            servers = ServerClusterArgs(stack=stack, settings=target, runtime=runtime.kind, secrets=secrets)
            return ServerCluster("cluster", servers).cluster
        case DigitalOceanTarget():
            from components.targets.digitalocean.cluster import DigitalOceanCluster, DigitalOceanClusterArgs

            return DigitalOceanCluster(
                "cluster", DigitalOceanClusterArgs(stack=stack, settings=target, secrets=secrets)
            ).cluster
        case EksTarget():
            from components.targets.eks.cluster import EksCluster, EksClusterArgs

            return EksCluster("cluster", EksClusterArgs(stack=stack, settings=target, runtime=runtime)).cluster
        case GkeTarget():
            from components.targets.gke.cluster import GkeCluster, GkeClusterArgs

            return GkeCluster("cluster", GkeClusterArgs(stack=stack, settings=target, runtime=runtime)).cluster
        case HetznerTarget():
            from components.targets.hetzner.cluster import HetznerCluster, HetznerClusterArgs

            rented = HetznerClusterArgs(stack=stack, settings=target, runtime=runtime.kind, secrets=secrets)
            return HetznerCluster("cluster", rented).cluster
        case _:
            assert_never(target)


def _runtime(settings: StackSettings, cluster: Cluster, opts: pulumi.ResourceOptions) -> Sandbox:
    runtime, namespace = settings.runtime, settings.application.namespace
    match runtime:
        case GvisorRuntime():
            return _gvisor(settings, runtime, cluster, opts)
        case KataRuntime():
            kata = KataArgs(application_namespace=namespace, settings=runtime, nodes=cluster.own_nodes)
            return Kata("kata", kata, opts).sandbox
        case RuncRuntime():
            return Runc("runc", RuncArgs(application_namespace=namespace, settings=runtime), opts).sandbox
        case _:
            assert_never(runtime)


def _gvisor(settings: StackSettings, runtime: GvisorRuntime, cluster: Cluster, opts: pulumi.ResourceOptions) -> Sandbox:
    """Declare gVisor's class, or use the cloud's; where nothing else brings gVisor onto the nodes, install it first."""
    namespace, release = settings.application.namespace, settings.pair.release
    if settings.pair.way is Way.MANAGED:
        return Managed("gvisor", ManagedArgs(settings=runtime), opts).sandbox
    if settings.pair.way is not Way.INSTALLER or release is None:
        return Gvisor("gvisor", GvisorArgs(application_namespace=namespace, settings=runtime), opts).sandbox
    nodes = NodeInstaller(
        "nodes",
        NodeInstallerArgs(
            application_namespace=namespace,
            cluster=cluster,
            gvisor=release,
            runtime=runtime,
            image=settings.images.computer,
        ),
        opts,
    )
    args = GvisorArgs(
        application_namespace=namespace, settings=runtime, node_labels=nodes.node_labels, after=[nodes.ready]
    )
    return Gvisor("gvisor", args, opts).sandbox


def _edge(edge: Edge, cluster: Cluster, application: Application, proof: Proof, opts: pulumi.ResourceOptions) -> None:
    match edge:
        case NodePortEdge():
            NodePort(
                "entry",
                NodePortArgs(
                    application=application,
                    proof=proof,
                    web=edge.web,
                    api=edge.api,
                    annotations=cluster.node_port_annotations,
                ),
                opts,
            )
        case _:
            assert_never(edge)
