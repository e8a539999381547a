"""What a computer must not reach of the cluster: nodes, API servers, DNS metrics, other pods, other computers."""

from collections.abc import Iterator

from probes.claim import Claim, Group
from probes.claims.destinations import by_every_protocol, closed, in_families, screen_ports
from probes.facts import Facts
from probes.reach import Destination
from probes.surroundings import Surroundings, kubernetes_services
from probes.vantage import SERVED_PORT, Vantage

NODE_PORTS = {
    "kubelet": (10250,),
    "kubelet-read-only": (10255,),
    "ssh": (22,),
    "container-runtime": (2375, 2376),
    "etcd": (2379,),
    "kube-proxy": (10256,),
}
"""What listens on a node by convention, by the end of the claim's id."""
DNS_METRICS = 9153
METHOD = "From inside a computer, by TCP and where it says so by UDP and ping."
CONTROL = "A pod that no policy selects gets an answer from the same address."
REMEDY = (
    "The ranges under target.network must hold every address of the cluster's own; compare them with "
    "`kubectl get nodes -o wide` and `kubectl get endpointslices -n default`, then run `pulumi up`."
)


def claims(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    """Claims about the cluster itself."""
    for key, ports in NODE_PORTS.items():
        targets = [
            Destination(name=f"{key} of node {node}", address=address, port=port)
            for node, addresses in around.nodes.items()
            for address in addresses
            for port in ports
        ]
        reason = "A node's own services trust whoever can reach them more than they should."
        yield _claim(
            f"out-node-{key}", f"A computer reaches no node's {key} port.", reason, in_families(facts, targets)
        )
    pings = [Destination(name=f"node {n}", address=address) for n, each in around.nodes.items() for address in each]
    yield _claim(
        "out-node-ping",
        "A computer gets no echo from a node.",
        "NetworkPolicy promises nothing about ICMP, and an echo carries data.",
        in_families(facts, pings),
    )
    yield from _api_servers(facts, around)
    metrics = [Destination(name="cluster DNS metrics", address=each, port=DNS_METRICS) for each in around.dns_pods]
    yield _claim(
        "out-dns-metrics",
        "A computer reaches no metrics of the cluster's DNS.",
        "Who may ask names must not learn what everybody else asks.",
        in_families(facts, metrics),
    )
    yield from _pods(facts, around)


def _api_servers(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    reason = "The API server is the way to every node and Secret; without a token it still answers questions."
    by_service = [Destination(name="API server's Service", address=a, port=443) for a in kubernetes_services(facts)]
    endpoints = [Destination(name="API server's endpoint", address=a, port=port) for a, port in around.api_servers]
    public = [Destination(name="API server's public address", address=a, port=port) for a, port in around.public_api]
    for key, sentence, targets in (
        ("service", "A computer does not reach the API server by its Service.", by_service),
        ("endpoint", "A computer does not reach the API server by its endpoints.", endpoints),
        ("public", "A computer does not reach the API server by its public address.", public),
    ):
        yield _claim(f"out-api-server-{key}", sentence, reason, in_families(facts, targets))


def _pods(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    """Pods that stand for all: none of them belongs to Rakazo."""
    reason = "What else runs on the cluster has not agreed to be reached by agents."
    for key, sentence, where, control in (
        ("pod", "A computer reaches no other pod of its node.", Vantage.CONTROL, Vantage.BYSTANDER),
        ("pod-of-another-node", "A computer reaches no pod of another node.", Vantage.BYSTANDER, Vantage.CONTROL),
    ):
        listeners = [
            Destination(name=str(where), address=each, port=SERVED_PORT) for each in around.cast.get(where, ())
        ]
        targets = [target for each in listeners for target in by_every_protocol(each)]
        yield _claim(f"out-{key}", sentence, reason, targets, control)
    services = [
        Destination(name="a Service without policies", address=each, port=SERVED_PORT) for each in around.cast_service
    ]
    yield _claim("out-other-service", "A computer reaches no Service.", reason, services, Vantage.BYSTANDER)
    screens = [
        Destination(name="a screen of another computer", address=each, port=port)
        for each in around.cast.get(Vantage.NEIGHBOUR, ())
        for port in screen_ports(facts)
    ]
    yield _claim(
        "out-computer",
        "A computer reaches no other computer.",
        "Screens have no password: who can connect watches.",
        screens,
        Vantage.API,
    )


def _claim(
    key: str, sentence: str, reason: str, targets: list[Destination], control: Vantage = Vantage.CONTROL
) -> Claim:
    return Claim(
        id=key,
        group=Group.OUT,
        sentence=sentence,
        reason=reason,
        method=METHOD,
        control=CONTROL if control is not Vantage.API else "api, which may, reaches the same address.",
        remedy=REMEDY,
        crossings=closed([Vantage.COMPUTER], targets, control=control),
    )
