"""What a computer must not reach outside the cluster: metadata services, and one neighbour in every denied range."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from probes.claim import Claim, Evidence, Group
from probes.claims.destinations import by_every_protocol, closed, endpoint, families, in_families
from probes.claims.metadata import METADATA_SERVICES, http
from probes.facts import Facts
from probes.reach import Destination
from probes.scene import Scene
from probes.surroundings import Surroundings, kubernetes_services
from probes.vantage import Vantage

METHOD = "From inside a computer: a TCP connection, a datagram to port 53, and an echo request."
CONTROL = "A pod under the same runtime on the same nodes that no policy selects gets an answer from the same address."
REMEDY = (
    "Look at the NetworkPolicy `public-internet` in the computers' namespace and at the network plugin: without a "
    "policy, or with a plugin that enforces none, everything is open. `pulumi up --refresh` writes the policy anew."
)


def claims(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    """One claim per metadata service and per denied range, in the families that pods have."""
    have = families(facts)
    for service in METADATA_SERVICES:
        targets = in_families(facts, by_every_protocol(http(service)))
        if targets:
            yield Claim(
                id=f"out-metadata-{service.key}",
                group=Group.OUT,
                sentence=f"A computer does not reach the {service.name} at {service.address}.",
                reason="It hands out the node's identity and user data to whoever can connect, without a password.",
                method=METHOD,
                control=CONTROL,
                remedy=REMEDY,
                crossings=closed([Vantage.COMPUTER], targets, control=Vantage.CONTROL),
            )
    for text in facts.denied_ranges:
        if ip_network(text).version in have:
            yield _of_range(text, _listeners(facts, around))


def _listeners(facts: Facts, around: Surroundings) -> list[Destination]:
    """Return everything that is known to answer somewhere outside the pods."""
    api_servers = [*((address, 443) for address in kubernetes_services(facts)), *around.api_servers]
    return [
        *(endpoint(each, "a neighbour") for each in facts.neighbours),
        *(http(each) for each in METADATA_SERVICES),
        *(Destination(name="API server", address=address, port=port) for address, port in api_servers),
    ]


def _of_range(text: str, listeners: list[Destination]) -> Claim:
    neighbours = [each for each in listeners if _holds(text, each.address)]
    crossings = closed(
        [Vantage.COMPUTER],
        [target for each in neighbours for target in by_every_protocol(each)],
        control=Vantage.CONTROL,
    )

    def nobody(_scene: Scene) -> Iterator[Evidence]:
        yield Evidence(
            subject=f"a computer → {text}",
            seen="no listener in this range is known; write one under proof.neighbours, such as 10.0.0.5:443",
            holds=None,
        )

    return Claim(
        id=f"out-range-{text}",
        group=Group.OUT,
        sentence=f"A computer reaches nobody in {text}.",
        reason="Such addresses belong to the operator's own network, to the cloud, or to nobody.",
        method=METHOD,
        control=CONTROL,
        remedy=REMEDY,
        crossings=crossings,
        look=None if crossings else nobody,
    )


def _holds(text: str, address: str) -> bool:
    network, host = ip_network(text), ip_address(address)
    return network.version == host.version and host in network
