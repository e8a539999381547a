"""A cluster that already exists."""

import pulumi
import pulumi_kubernetes as kubernetes

from components.contracts import Access, Cluster, Dns, Network, Storage
from stacks.kubernetes_version import parse_version
from stacks.target import ExistingTarget


class ExistingCluster(pulumi.ComponentResource):
    """Reach a cluster that somebody else runs: creates nothing but the way to talk to it."""

    cluster: Cluster

    def __init__(self, name: str, settings: ExistingTarget, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:ExistingCluster", name, None, opts)
        provider = kubernetes.Provider(
            name,
            kubeconfig=settings.kubeconfig,
            context=settings.context,
            # Without it the engine guesses the cluster's identity from the kubeconfig's text, and a renewed
            # certificate or a proxy would replace everything in the stack.
            cluster_identifier=f"{settings.kind}:{settings.context}",
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.cluster = Cluster(
            provider=provider,
            access=Access(kubeconfig=settings.kubeconfig, context=settings.context),
            kubernetes_version=parse_version(settings.kubernetes_version),
            network=Network(
                pods=settings.network.pods,
                services=settings.network.services,
                nodes=settings.network.nodes,
                api_servers=settings.network.api_servers,
            ),
            dns=Dns(
                pod_labels=tuple(sorted(settings.dns.pod_labels.items())),
                namespace=settings.dns.namespace,
                addresses=settings.dns.addresses,
            ),
            storage=Storage(storage_class=settings.storage.storage_class, shared=settings.storage.shared),
        )
        self.register_outputs({})
