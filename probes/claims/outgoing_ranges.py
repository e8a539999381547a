"""What a computer must not reach outside the cluster: metadata services, and one neighbour in every denied range."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from probes.claim import Claim, Evidence, Group
from probes.claims.destinations import DNS_PORT, by_every_protocol, closed, endpoint, families
from probes.claims.metadata import METADATA_SERVICES, http
from probes.facts import Facts
from probes.prober import Prober
from probes.reach import Destination
from probes.surroundings import Surroundings, kubernetes_services
from probes.vantage import Vantage

METHOD = "From inside a computer: a TCP connection, a datagram to port 53, and an echo request."
CONTROL = "A pod under the same runtime on the same nodes that no policy selects gets an answer from the same address."
REMEDY = (
    "Look at the NetworkPolicy `public-internet` in the computers' namespace and at the network plugin: without a "
    "policy, or with a plugin that enforces none, everything is open. `pulumi up --refresh` writes the policy anew."
)


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """How ways out are tried on one kind of stack."""

    families: set[int]
    """Address families that computers have."""
    control: Vantage
    """Who reaches the same addresses."""
    controlled: str
    """What he is, as a sentence."""
    remedy: str
    resolvers: Sequence[str] = ()
    """Addresses that computers may ask for names, over UDP and TCP, because nobody else would answer them."""

    def attempts(self, listener: Destination) -> list[Destination]:
        """Return a listener in every protocol, in the families that computers have."""
        found = [each for each in by_every_protocol(listener) if each.family in self.families]
        return [each for each in found if not (each.port == DNS_PORT and each.address in self.resolvers)]


def claims(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    """One claim per metadata service and per denied range, in the families that pods have."""
    outlook = Outlook(
        families=families(facts),
        control=Vantage.CONTROL,
        controlled=CONTROL,
        remedy=REMEDY,
        resolvers=facts.dns_addresses,
    )
    return ways_out(facts.denied_ranges, _listeners(facts, around), outlook)


def ways_out(ranges: Iterable[str], listeners: Sequence[Destination], outlook: Outlook) -> Iterator[Claim]:
    """One claim per metadata service and per denied range; `listeners` are known to answer somewhere outside."""
    for service in METADATA_SERVICES:
        targets = outlook.attempts(http(service))
        if targets:
            yield Claim(
                id=f"out-metadata-{service.key}",
                group=Group.OUT,
                sentence=f"A computer does not reach the {service.name} at {service.address}.",
                reason="It hands out the node's identity and user data to whoever can connect, without a password.",
                method=METHOD,
                control=outlook.controlled,
                remedy=outlook.remedy,
                crossings=closed([Vantage.COMPUTER], targets, control=outlook.control),
            )
    for text in ranges:
        if ip_network(text).version in outlook.families:
            yield _of_range(text, listeners, outlook)


def neighbours(written: Iterable[str]) -> list[Destination]:
    """Return the listeners that the settings name, and those that clouds have."""
    return [*(endpoint(each, "a neighbour") for each in written), *(http(each) for each in METADATA_SERVICES)]


def _listeners(facts: Facts, around: Surroundings) -> list[Destination]:
    """Return everything that is known to answer somewhere outside the pods."""
    api_servers = [*((address, 443) for address in kubernetes_services(facts)), *around.api_servers]
    return [
        *neighbours(facts.neighbours),
        *(Destination(name="API server", address=address, port=port) for address, port in api_servers),
    ]


def _of_range(text: str, listeners: Iterable[Destination], outlook: Outlook) -> Claim:
    inside = [each for each in listeners if _holds(text, each.address)]
    targets = [target for each in inside for target in outlook.attempts(each)]
    crossings = closed([Vantage.COMPUTER], targets, control=outlook.control)

    def nobody(_scene: Prober) -> Iterator[Evidence]:
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
        control=outlook.controlled,
        remedy=outlook.remedy,
        crossings=crossings,
        look=None if crossings else nobody,
    )


def _holds(text: str, address: str) -> bool:
    network, host = ip_network(text), ip_address(address)
    return network.version == host.version and host in network
