"""The whole stack, top to bottom, in the order in which data flows."""

from typing import assert_never

import pulumi

from components.contracts import Application, Cluster, Proof, Sandbox
from components.edge.node_port import NodePort, NodePortArgs
from components.proof.facts import gather_facts
from components.proof.gate import Gate, GateArgs
from components.rakazo.application import Rakazo, RakazoArgs
from components.runtimes.gvisor import Gvisor, GvisorArgs
from components.runtimes.runc import Runc, RuncArgs
from components.targets.existing import ExistingCluster
from stacks.edge import Edge, NodePortEdge
from stacks.runtime import GvisorRuntime, RuncRuntime, Runtime
from stacks.secrets import Secrets
from stacks.settings import StackSettings
from stacks.target import ExistingTarget, Target

ISOLATION = {
    "enforce": "proven before the way in opened; rakazo-infra verify proves it again",
    "report": "NOT ENFORCED (proof.gate: report): the way in is open whether the claims hold or not",
}
"""What the stack exports about its gate."""


def deploy(settings: StackSettings, secrets: Secrets) -> dict[str, str]:
    """Declare every resource of the stack and return what it exports; nothing in it is secret."""
    for warning in settings.warnings():
        pulumi.log.warn(warning)

    cluster = _target(settings.target)
    in_cluster = pulumi.ResourceOptions(provider=cluster.provider)

    sandbox = _runtime(settings.runtime, settings.application.namespace, in_cluster)
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
        GateArgs(access=cluster.access, application=application, facts=facts, mode=settings.proof.gate),
        in_cluster,
    ).proof
    _edge(settings.edge, application, proof, in_cluster)

    return {
        "url": settings.application.public.origin,
        "namespace": application.namespace,
        "computers_namespace": application.computers_namespace,
        "runtime_class": sandbox.runtime_class,
        "isolation": ISOLATION[settings.proof.gate],
        "facts": facts.pack(),
    }


def _target(target: Target) -> Cluster:
    match target:
        case ExistingTarget():
            return ExistingCluster("cluster", target).cluster
        case _:
            assert_never(target)


def _runtime(runtime: Runtime, namespace: str, opts: pulumi.ResourceOptions) -> Sandbox:
    match runtime:
        case GvisorRuntime():
            return Gvisor("gvisor", GvisorArgs(application_namespace=namespace, settings=runtime), opts).sandbox
        case RuncRuntime():
            return Runc("runc", RuncArgs(application_namespace=namespace, settings=runtime), opts).sandbox
        case _:
            assert_never(runtime)


def _edge(edge: Edge, application: Application, proof: Proof, opts: pulumi.ResourceOptions) -> None:
    match edge:
        case NodePortEdge():
            NodePort("entry", NodePortArgs(application=application, proof=proof, web=edge.web, api=edge.api), opts)
        case _:
            assert_never(edge)
