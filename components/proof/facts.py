"""The facts of a stack, gathered from what its stages know."""

from components.contracts import Application, Cluster, Sandbox
from probes.facts import Facts
from stacks.settings import StackSettings


def gather_facts(cluster: Cluster, sandbox: Sandbox, application: Application, settings: StackSettings) -> Facts:
    """Return all that a verification has to know; none of it is secret and none of it waits for the cluster."""
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
        pods=cluster.network.pods,
        services=cluster.network.services,
        nodes=cluster.network.nodes,
        api_servers=cluster.network.api_servers,
        denied_ranges=tuple(application.denied_ranges),
        dns_namespace=cluster.dns.namespace,
        dns_labels=dict(cluster.dns.pod_labels),
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
