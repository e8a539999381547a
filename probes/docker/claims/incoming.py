"""Who reaches a computer, and who reaches what stands behind the front door."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from probes.claim import Claim, Evidence, Group
from probes.claims.destinations import closed, screen_ports
from probes.docker.containers import PROJECT, SERVICE
from probes.docker.facts import DockerFacts
from probes.docker.scene import DockerScene
from probes.docker.surroundings import BOTS, Around
from probes.reach import Answer, Destination, command, listed
from probes.vantage import Vantage

WATCHED = (2375, 2376, 3100, 5173, 5432, 6080, 6100, 7091)
"""Ports of Docker's own API, of every service, and of screens: none of them is for other machines."""
STRANGERS = (Vantage.STRANGER, Vantage.LISTENER)
NOT_FOR = {
    "postgres": (Vantage.WEB, Vantage.SUPERVISOR),
    "supervisor": (Vantage.WEB, Vantage.POSTGRES),
    "api": (),
}
"""Services of the application itself that share no network with this one. Postgres and api share the database's."""
CLIENTS = {"postgres": Vantage.API, "supervisor": Vantage.API}
NETWORKS = (
    "`docker network inspect` tells who is on which network: only the service and its clients may share one. "
    "`pulumi up --refresh` writes the project anew; `docker network disconnect` takes away who was added by hand."
)


def claims(facts: DockerFacts, around: Around) -> Iterator[Claim]:
    """Every way in."""
    screens = [
        Destination(name="a computer", address=address, port=port)
        for address in around.cast.get(Vantage.NEIGHBOUR, ())
        for port in screen_ports(facts)
    ]
    yield Claim(
        id="in-strangers",
        group=Group.IN,
        sentence="Nobody but web and the supervisor reaches a screen: no other container, neither api, worker nor "
        "postgres.",
        reason="Screens have no password: who can connect watches, and the network of its own is a computer's only "
        "lock.",
        method="From inside each of them, by TCP to the screens of a computer.",
        control="The machine itself gets an answer from the same ports.",
        remedy=NETWORKS,
        crossings=closed([*STRANGERS, Vantage.API, Vantage.WORKER, Vantage.POSTGRES], screens, control=Vantage.MACHINE),
    )
    for name, others in NOT_FOR.items():
        port = facts.service(name).port or 0
        client = CLIENTS.get(name, Vantage.MACHINE)
        targets = [
            Destination(name=f"{name} by container", address=each, port=port) for each in around.services.get(name, ())
        ]
        yield Claim(
            id=f"in-{name}",
            group=Group.IN,
            sentence=f"No container but {name}'s own clients reaches {name}.",
            reason="Any other container of the machine is as foreign as the internet.",
            method="From containers of somebody else, and from services that have no business with it.",
            control=f"{'The machine itself' if client is Vantage.MACHINE else client} reaches the same address.",
            remedy=NETWORKS,
            crossings=closed([*STRANGERS, *others], targets, control=client),
        )
    yield from _published(facts)


def _published(facts: DockerFacts) -> Iterator[Claim]:
    yield Claim(
        id="in-published",
        group=Group.IN,
        sentence=f"No container of Rakazo publishes a port, except web on {facts.web}; a screen at most on loopback.",
        reason="A port that Docker publishes is open past the machine's own firewall: Docker's rules come first.",
        method="Bindings of every container of the project and of every computer, as Docker has them.",
        control="Web's own is among what is found once the way in is open. At the gate, which comes before, there is "
        "none: then that none was found is all that is known.",
        remedy="Take `ports:` away from the service that is named: `pulumi up --refresh` writes the project anew.",
        look=_bindings,
    )
    yield Claim(
        id="in-outside",
        group=Group.IN,
        sentence="From outside, the machine answers on no port of Docker, of the application or of a screen.",
        reason="Postgres, the supervisor and Docker itself are worth the whole machine.",
        method=f"From where this verification runs, by TCP to {facts.address} and to what public addresses the machine "
        f"has in the other family: ports {', '.join(map(str, WATCHED))}.",
        control="The machine's SSH answers from the same place at the same address.",
        remedy="`ss -ltnp` on the machine names who listens there; bind it to 127.0.0.1, or close the port in front of "
        "the machine.",
        look=_outside,
    )


@dataclass(frozen=True, kw_only=True)
class Binding:
    """A port of the machine behind which a container answers."""

    service: str
    where: str
    """As `address:port`."""


def bindings(containers: Iterable[Mapping[str, Any]]) -> Iterator[Binding]:
    """Yield every published port, and the network of the machine where a container shares it."""
    for each in containers:
        name = each["Name"].removeprefix("/")
        service = (each["Config"]["Labels"] or {}).get(SERVICE, name)
        if each["HostConfig"].get("NetworkMode") == "host":
            yield Binding(service=service, where="every port that it listens on: it shares the machine's network")
        asked, given = each["HostConfig"].get("PortBindings") or {}, each["NetworkSettings"].get("Ports") or {}
        for many in (*asked.values(), *given.values()):
            for one in many or []:
                yield Binding(service=service, where=f"{one.get('HostIp') or '0.0.0.0'}:{one.get('HostPort') or '?'}")  # noqa: S104


def _bindings(scene: DockerScene) -> Iterator[Evidence]:
    facts, docker = scene.facts, scene.containers
    names = docker.names(f"label={PROJECT}={facts.application}") + docker.names(f"name=^{BOTS}")
    found = docker.inspect(*dict.fromkeys(names))
    yield published(list(bindings(found)), facts.web, len(found))


def published(found: list[Binding], web: str, number: int) -> Evidence:
    """Return whether nothing but the way in is published; `number` is that of the containers looked at."""
    wrong = [
        f"{each.service} at {each.where}"
        for each in found
        if (each.service, each.where) != ("web", web) and not _own_screen(each)
    ]
    allowed = [each for each in found if (each.service, each.where) == ("web", web)]
    return Evidence(
        subject=f"{number} containers",
        seen=f"published: {', '.join(dict.fromkeys(wrong))}" if wrong else "none publishes a port of the machine",
        control=f"web at {web}" if allowed else "the way in is not open yet",
        holds=False if wrong else (True if number else None),
    )


def _own_screen(binding: Binding) -> bool:
    """Whether it is a computer's screen on loopback, as some of Rakazo's releases have it for the machine itself."""
    return binding.service.startswith(BOTS) and binding.where.startswith("127.0.0.1:")


def _outside(scene: DockerScene) -> Iterator[Evidence]:
    facts = scene.facts
    ports = [facts.ssh_port, *(port for port in WATCHED if port != facts.ssh_port)]
    silent = next(port for port in range(1, 1024) if port not in scene.around.listeners)
    for address in (facts.address, *other_family(facts.address, scene.around.machine)):
        targets = [Destination(name="the machine", address=address, port=port) for port in (silent, *ports)]
        answers = listed(targets, scene.execute(Vantage.OUTSIDE, command(targets)).output)
        yield from outside(targets, answers)


def other_family(address: str, machine: Iterable[str]) -> list[str]:
    """Return the machine's public addresses of the family that the one where it is reached is not of."""
    family = ip_address(address).version
    return [each for each in machine if ip_address(each).version != family and ip_address(each).is_global]


def outside(targets: list[Destination], answers: list[Answer]) -> Iterator[Evidence]:
    """Yield what answers from outside at one address.

    The first target is a port on which nobody listens, the second is SSH.
    """
    nobody, ssh, *others = answers
    if nobody is Answer.OPEN:
        seen = f"{targets[0]} answers, where nobody listens: somebody in between answers in the machine's place"
        yield Evidence(subject=str(Vantage.OUTSIDE), seen=seen, holds=None)
        return
    for target, answer in zip(targets[2:], others, strict=True):
        yield Evidence(
            subject=f"{Vantage.OUTSIDE} → {target}",
            seen=str(answer),
            control=f"SSH at port {targets[1].port}: {ssh}",
            holds=False if answer is Answer.OPEN else (True if ssh is Answer.OPEN else None),
        )
