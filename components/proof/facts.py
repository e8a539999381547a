"""The facts of a stack, gathered from what its stages know."""

from typing import Any

import pulumi

from components.contracts import Application, Cluster, Network, Sandbox
from probes.facts import Facts
from stacks.matrix import Way
from stacks.runtime import GvisorRuntime, KataRuntime
from stacks.settings import StackSettings


def installed_runtime(settings: StackSettings) -> str:
    """Return which release of the runtime the stack puts on nodes, as text that changes with it; empty when none.

    Neither the RuntimeClass nor a claim knows it. Where it comes from is left out as long as a checksum pins it.
    """
    release = settings.pair.release
    match settings.runtime:
        case GvisorRuntime() if release is not None:
            return release.model_dump_json(exclude={"mirror"})
        case KataRuntime(chart=chart) if settings.pair.way is Way.CHART:
            return chart.model_dump_json(exclude={"images": {"dispatcher", "kubectl"}})
        case _:
            return ""


def gather_facts(
    cluster: Cluster, sandbox: Sandbox, application: Application, settings: StackSettings
) -> pulumi.Output[Facts]:
    """Return all that a verification has to know; none of it is secret.

    It is known at once, except where a cloud gives out addresses of nodes only when they are made.
    """

    def told(known: list[Any]) -> Facts:
        network: Network = known[0]
        denied_ranges: list[str] = known[1]
        return Facts(
            context=cluster.access.context,
            kubernetes_version=cluster.kubernetes_version,
            application=application.namespace,
            computers=application.computers_namespace,
            account=application.account,
            runtime=sandbox.runtime,
            runtime_class=sandbox.runtime_class,
            node_labels=dict(sandbox.node_labels),
            waits_for_policies=cluster.mutates_admission,
            pods=network.pods,
            services=network.services,
            nodes=network.nodes,
            api_servers=network.api_servers,
            denied_ranges=tuple(denied_ranges),
            dns_namespace=cluster.dns.namespace,
            dns_labels=dict(cluster.dns.pod_labels),
            dns_addresses=cluster.dns.addresses,
            neighbours=settings.proof.neighbours,
            image_app=settings.images.app,
            image_computer=settings.images.computer,
            image_postgres=settings.images.postgres,
            last_screen_port=settings.computers.last_screen_port,
            maximum=settings.computers.maximum,
            cpu=settings.computers.cpu,
            ephemeral_storage=settings.computers.ephemeral_storage,
            memory=settings.computers.memory,
            application_services=tuple(application.services),
        )

    return pulumi.Output.all(cluster.network.complete(), application.denied_ranges).apply(told)
