"""Who may talk to whom: nobody to anybody, except along the edges."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.networking import v1 as networking

from components.contracts import Dns, Network
from components.kubernetes import cilium, names
from components.rakazo import network_edges
from components.rakazo.cilium_edges import cilium_edges
from components.rakazo.network_edges import Edge
from components.rakazo.network_peer import Surroundings

DENY_ALL = "deny-all"


@dataclass(frozen=True, kw_only=True)
class NetworkPoliciesArgs:
    """Inputs of :class:`NetworkPolicies`."""

    application_namespace: str
    computers_namespace: str
    network: Network
    dns: Dns
    last_display_port: int
    """Displays of computers are reachable from 6100 up to and with this port."""
    after: Sequence[pulumi.Resource]
    """The two namespaces."""


class NetworkPolicies(pulumi.ComponentResource):
    """Both namespaces are closed in both directions, and exactly the documented connections are open.

    Whatever is put into one of the namespaces depends on this component: it waits for every policy, and
    on a destroy it goes before them.
    """

    deny_all: tuple[networking.NetworkPolicy, networking.NetworkPolicy]
    objects: Sequence[pulumi.Resource]
    """Every policy."""

    def __init__(self, name: str, args: NetworkPoliciesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:NetworkPolicies", name, None, opts)
        labels = names.labels(args.application_namespace)
        self.deny_all = (
            self._deny_all(f"{name}-application", args.application_namespace, labels, args.after),
            self._deny_all(f"{name}-computers", args.computers_namespace, labels, args.after),
        )
        edges = []
        for edge in choose_edges(args):
            side = "computers" if edge.namespace == args.computers_namespace else "application"
            edges.append(
                networking.NetworkPolicy(
                    f"{name}-{side}-{edge.name}",
                    metadata=meta.ObjectMetaArgs(name=edge.name, namespace=edge.namespace, labels=labels),
                    spec=_spec(edge),
                    opts=pulumi.ResourceOptions(parent=self, depends_on=[*args.after, *self.deny_all]),
                )
            )
        by_identity = [
            cilium.policy(
                f"{name}-application-{edge}",
                meta.ObjectMetaArgs(name=edge, namespace=args.application_namespace, labels=labels),
                spec,
                pulumi.ResourceOptions(parent=self, depends_on=[*args.after, *self.deny_all]),
            )
            for edge, spec in (cilium_edges(args.application_namespace) if args.network.cilium else ())
        ]
        self.objects = [*self.deny_all, *edges, *by_identity]
        self.register_outputs({})

    def _deny_all(
        self, name: str, namespace: str, labels: dict[str, str], after: Sequence[pulumi.Resource]
    ) -> networking.NetworkPolicy:
        return networking.NetworkPolicy(
            f"{name}-{DENY_ALL}",
            metadata=meta.ObjectMetaArgs(name=DENY_ALL, namespace=namespace, labels=labels),
            spec=networking.NetworkPolicySpecArgs(
                pod_selector=meta.LabelSelectorArgs(), policy_types=["Ingress", "Egress"]
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=after),
        )


def choose_edges(args: NetworkPoliciesArgs) -> Iterator[Edge]:
    """Return every allowed connection of a stack."""
    around = Surroundings(
        application=args.application_namespace,
        computers=args.computers_namespace,
        network=args.network,
        dns=args.dns,
        last_display_port=args.last_display_port,
    )
    yield from network_edges.allow_screens(around)
    yield from network_edges.allow_dns(around)
    yield from network_edges.allow_public_internet(around)
    yield from network_edges.allow_providers(around)
    yield from network_edges.allow_kubernetes_api(around)
    yield from network_edges.allow_database(around)
    yield from network_edges.allow_api_from_web(around)
    yield from network_edges.allow_from_nodes(around, "api", names.API_PORT)
    yield from network_edges.allow_from_nodes(around, "web", names.WEB_PORT)


def _spec(edge: Edge) -> networking.NetworkPolicySpecArgs:
    """Open the one direction of this end; naming the other as well would only repeat deny-all."""
    if edge.ingress:
        return networking.NetworkPolicySpecArgs(pod_selector=edge.pods, policy_types=["Ingress"], ingress=edge.ingress)
    return networking.NetworkPolicySpecArgs(pod_selector=edge.pods, policy_types=["Egress"], egress=edge.egress)
