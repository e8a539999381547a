"""What a computer must not reach: private ranges and clouds, its machine, other containers, and the application."""

from collections.abc import Iterator

from probes.claim import Claim, Group
from probes.claims.destinations import DNS_PORT, by_every_protocol, closed, screen_ports
from probes.claims.outgoing_allowed import Witness, allowed
from probes.claims.outgoing_ranges import Outlook, neighbours, ways_out
from probes.docker.facts import DockerFacts
from probes.docker.surroundings import Around
from probes.reach import Destination
from probes.vantage import SERVED_PORT, Vantage

METHOD = "From inside a computer, by TCP and where it says so by UDP and ping."
STRANGER = "A container on a network that no rule knows gets an answer from the same address."
MACHINE = "The machine itself gets an answer from the same address."
REMEDY = (
    "`rakazo-egress check` on the machine names the rule that is missing and `systemctl restart rakazo-egress` brings "
    "it back; `pulumi up --refresh` writes the rules anew."
)
CLOSED_BY_DOCKER = (
    "Docker refuses what goes from one of its networks to another: `iptables -S FORWARD` must lead to DOCKER-USER and "
    "then to Docker's own chains before anything else lets packets through; `systemctl restart docker` renews them."
)


def claims(facts: DockerFacts, around: Around) -> Iterator[Claim]:
    """Every way out."""
    outlook = Outlook(
        families=around.families,
        control=Vantage.STRANGER,
        controlled=STRANGER,
        remedy=REMEDY,
        resolvers=around.resolvers,
    )
    yield from ways_out(facts.denied_ranges, neighbours(facts.neighbours), outlook)
    yield from _machine(around)
    yield from _containers(facts, around)
    yield from _services(facts, around)
    yield from allowed(
        Witness(
            vantage=Vantage.STRANGER,
            sentence="A container on a network that no rule knows does the same: when it fails too, the machine's own "
            "network is at fault.",
            remedy="`rakazo-egress print` on the machine lists the rules: a resolver with a private address must be "
            "among them, and is when /etc/resolv.conf named it as they were written; `systemctl restart rakazo-egress` "
            "reads it again.",
        )
    )


def _machine(around: Around) -> Iterator[Claim]:
    reason = "What listens on the machine trusts whoever can reach it more than it should, SSH and Docker among it."
    addresses = [each for each in dict.fromkeys([*around.gateways, *around.machine]) if _fits(each, around)]
    targets = [
        Destination(name="a port of the machine", address=address, port=port)
        for address in addresses
        for port in around.listeners
        if not (port == DNS_PORT and address in around.resolvers)  # where the machine itself answers for names
    ]
    sentence = "A computer reaches no port of its machine, but for names where the machine is its resolver."
    yield _claim("out-machine", sentence, reason, targets, Vantage.STRANGER)
    pings = [Destination(name="the machine", address=address) for address in addresses]
    yield _claim(
        "out-machine-ping",
        "A computer gets no echo from its machine.",
        "An echo carries data.",
        pings,
        Vantage.STRANGER,
    )


def _containers(facts: DockerFacts, around: Around) -> Iterator[Claim]:
    strangers = [
        Destination(name=str(Vantage.LISTENER), address=each, port=SERVED_PORT)
        for each in around.cast.get(Vantage.LISTENER, ())
    ]
    yield _claim(
        "out-container",
        "A computer reaches no container of somebody else.",
        "What else runs on the machine has not agreed to be reached by agents.",
        [target for each in strangers for target in by_every_protocol(each)],
        Vantage.STRANGER,
    )
    screens = [
        Destination(name="a screen of another computer", address=each, port=port)
        for each in around.cast.get(Vantage.NEIGHBOUR, ())
        for port in screen_ports(facts)
    ]
    reason = "Screens have no password: who can connect watches."
    yield _claim("out-computer", "A computer reaches no other computer.", reason, screens, Vantage.MACHINE)


def _services(facts: DockerFacts, around: Around) -> Iterator[Claim]:
    reasons = {
        "supervisor": "It commands Docker, and with it the machine; a token is its only other lock.",
        "web": "Whoever steers a computer comes in by the front door like everybody else. Web's address on the "
        "computer's own network is another matter, see application-computer.",
    }
    for service in facts.application_services:
        if service.port is None:
            continue
        targets = [
            Destination(name=f"{service.name} by container", address=address, port=service.port)
            for address in around.services.get(service.name, ())
        ]
        yield _claim(
            f"out-{service.name}",
            f"A computer does not reach {service.name}.",
            reasons.get(service.name, "Whoever steers a computer must not talk to what stands behind the front door."),
            targets,
            Vantage.MACHINE,
        )
    metadata = [each for each in neighbours(()) if _fits(each.address, around)]
    yield Claim(
        id="out-application-metadata",
        group=Group.OUT,
        sentence="No service of the application reaches a metadata service.",
        reason="A request that web or api can be talked into would otherwise fetch the machine's identity.",
        method="From inside each service, by TCP.",
        control=STRANGER,
        remedy=REMEDY,
        crossings=closed(
            [Vantage(each.name) for each in facts.application_services], metadata, control=Vantage.STRANGER
        ),
    )


def _fits(address: str, around: Around) -> bool:
    return (6 if ":" in address else 4) in around.families


def _claim(key: str, sentence: str, reason: str, targets: list[Destination], control: Vantage) -> Claim:
    return Claim(
        id=key,
        group=Group.OUT,
        sentence=sentence,
        reason=reason,
        method=METHOD,
        control=MACHINE if control is Vantage.MACHINE else STRANGER,
        remedy=REMEDY if control is Vantage.STRANGER else f"{REMEDY} {CLOSED_BY_DOCKER}",
        crossings=closed([Vantage.COMPUTER], targets, control=control),
    )
