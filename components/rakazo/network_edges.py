"""Every connection that Rakazo needs: one function per edge, with both of its ends."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pulumi
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.networking import v1 as networking

from components.kubernetes import names
from components.rakazo import network_peer
from components.rakazo.network_peer import Surroundings

DNS_PORT = 53
SCREEN_PORT = 6080
FIRST_DISPLAY_PORT = 6100


@dataclass(frozen=True, kw_only=True)
class Edge:
    """One end of an allowed connection, as one NetworkPolicy."""

    name: str
    namespace: str
    pods: meta.LabelSelectorArgs
    ingress: list[networking.NetworkPolicyIngressRuleArgs] = field(default_factory=list)
    egress: pulumi.Input[Sequence[pulumi.Input[networking.NetworkPolicyEgressRuleArgs]]] = field(default_factory=list)


def allow_screens(around: Surroundings) -> Iterator[Edge]:
    """Let api, worker and web open a computer's displays. Who can connect watches: this is the lock."""
    callers = ("api", "worker", "web")
    ports = [
        network_peer.tcp(SCREEN_PORT),
        networking.NetworkPolicyPortArgs(protocol="TCP", port=FIRST_DISPLAY_PORT, end_port=around.last_display_port),
    ]
    yield Edge(
        name="screens-from-application",
        namespace=around.computers,
        pods=network_peer.every_pod(),
        ingress=[
            networking.NetworkPolicyIngressRuleArgs(
                from_=[
                    networking.NetworkPolicyPeerArgs(
                        namespace_selector=network_peer.namespace(around.application),
                        pod_selector=network_peer.components(around, *callers),
                    )
                ],
                ports=ports,
            )
        ],
    )
    yield Edge(
        name="application-to-screens",
        namespace=around.application,
        pods=network_peer.components(around, *callers),
        egress=[
            networking.NetworkPolicyEgressRuleArgs(
                to=[
                    networking.NetworkPolicyPeerArgs(
                        namespace_selector=network_peer.namespace(around.computers),
                        pod_selector=network_peer.every_pod(),
                    )
                ],
                ports=ports,
            )
        ],
    )


def allow_dns(around: Surroundings) -> Iterator[Edge]:
    """Let computers and all of Rakazo but Postgres resolve names, at the cluster's resolvers only."""
    resolver = dict(around.dns.pod_labels)
    peers = [network_peer.resolver(around, resolver)]
    if around.dns.addresses:
        # A node-local cache answers in front of the resolver; some network plugins see its pods, others
        # its address, and gVisor's packets meet the policy where runc's bypass it.
        peers.append(network_peer.resolver(around, {"k8s-app": "node-local-dns"}))
        peers += [
            network_peer.block(f"{address}{network_peer.host_prefix(address)}") for address in around.dns.addresses
        ]
    rule = networking.NetworkPolicyEgressRuleArgs(
        to=peers,
        ports=[networking.NetworkPolicyPortArgs(protocol=protocol, port=DNS_PORT) for protocol in ("UDP", "TCP")],
    )
    yield Edge(name="dns", namespace=around.computers, pods=network_peer.every_pod(), egress=[rule])
    yield Edge(
        name="dns",
        namespace=around.application,
        pods=network_peer.components(around, "api", "worker", "web", "migrate"),
        egress=[rule],
    )


def allow_public_internet(around: Surroundings) -> Iterator[Edge]:
    """Let computers reach every port of every public address, in the families that their pods have."""
    yield Edge(
        name="public-internet",
        namespace=around.computers,
        pods=network_peer.every_pod(),
        egress=[networking.NetworkPolicyEgressRuleArgs(to=network_peer.public_internet(around.network))],
    )


def allow_providers(around: Surroundings) -> Iterator[Edge]:
    """Let api and worker call models, plugins and sign-in providers over HTTPS, never metadata services."""
    yield Edge(
        name="providers",
        namespace=around.application,
        pods=network_peer.components(around, "api", "worker"),
        egress=[
            networking.NetworkPolicyEgressRuleArgs(
                to=network_peer.public_internet(around.network), ports=[network_peer.tcp(network_peer.HTTPS_PORT)]
            )
        ],
    )


def allow_kubernetes_api(around: Surroundings) -> Iterator[Edge]:
    """Let api and worker make computers: plugins see the Service's address or the server's behind it.

    On Cilium an address block may match no API server: there `cilium_edges` lets them through.
    """
    yield Edge(
        name="kubernetes-api",
        namespace=around.application,
        pods=network_peer.components(around, "api", "worker"),
        egress=network_peer.kubernetes_api(around.network),
    )


def allow_database(around: Surroundings) -> Iterator[Edge]:
    """Let api, worker and migrate talk to Postgres, which itself connects to nobody."""
    yield from _inside(around, "postgres", names.POSTGRES_PORT, "api", "worker", "migrate")


def allow_api_from_web(around: Surroundings) -> Iterator[Edge]:
    """Let web forward people's calls to api and ask it about every screen."""
    yield from _inside(around, "api", names.API_PORT, "web")


def allow_from_nodes(around: Surroundings, component: str, port: int) -> Iterator[Edge]:
    """Let in probes, which come from a pod's node, and what a node's port forwards in the node's name."""
    yield Edge(
        name=f"{component}-from-nodes",
        namespace=around.application,
        pods=network_peer.components(around, component),
        ingress=[
            networking.NetworkPolicyIngressRuleArgs(
                from_=[network_peer.block(nodes) for nodes in (*around.network.nodes, *around.network.overlays)],
                ports=[network_peer.tcp(port)],
            )
        ],
    )


def _inside(around: Surroundings, server: str, port: int, *clients: str) -> Iterator[Edge]:
    """Both ends of a connection within the application's namespace."""
    peer = networking.NetworkPolicyPeerArgs
    yield Edge(
        name=f"{server}-from-{'-'.join(clients)}",
        namespace=around.application,
        pods=network_peer.components(around, server),
        ingress=[
            networking.NetworkPolicyIngressRuleArgs(
                from_=[peer(pod_selector=network_peer.components(around, *clients))], ports=[network_peer.tcp(port)]
            )
        ],
    )
    yield Edge(
        name=f"{'-'.join(clients)}-to-{server}",
        namespace=around.application,
        pods=network_peer.components(around, *clients),
        egress=[
            networking.NetworkPolicyEgressRuleArgs(
                to=[peer(pod_selector=network_peer.components(around, server))], ports=[network_peer.tcp(port)]
            )
        ],
    )
