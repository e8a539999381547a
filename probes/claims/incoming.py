"""Who reaches a computer: the application's three services on its screen ports, and nobody else."""

from collections.abc import Iterator

from probes.claim import Claim, Group
from probes.claims.destinations import closed, in_families, opened, other_ports, screen_ports
from probes.facts import Facts
from probes.reach import Destination
from probes.surroundings import Surroundings
from probes.vantage import Vantage

WATCHERS = (Vantage.API, Vantage.WORKER, Vantage.WEB)
STRANGERS = (
    Vantage.CONTROL,
    Vantage.BYSTANDER,
    Vantage.IMPOSTOR,
    Vantage.STRAY,
    Vantage.POSTGRES,
    Vantage.COMPUTER,
)
REASON = "Screens have no password: who can connect watches, and the policy is the only lock."
REMEDY = (
    "Compare the policy `screens-from-application` in the computers' namespace with the one that `pulumi preview` "
    "shows: namespace and pods belong into one peer, and the range ends at computers.last_screen_port."
)


def claims(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    """Claims about the ports of computers."""
    screens = _ports(facts, around, screen_ports(facts))
    yield Claim(
        id="in-screens",
        group=Group.IN,
        sentence="api, worker and web reach every screen of a computer.",
        reason="Else people see a dark screen, and the opposite claims below would prove nothing.",
        method=f"From inside each of them to ports {', '.join(map(str, screen_ports(facts)))} of a computer.",
        control="The claim in-strangers holds for the same ports.",
        remedy=REMEDY,
        crossings=opened(WATCHERS, screens),
    )
    yield Claim(
        id="in-strangers",
        group=Group.IN,
        sentence="Nobody else reaches a screen: no other pod, no pod with web's labels, no other computer.",
        reason=REASON,
        method="From pods of another namespace on both kinds of nodes, one of them with the labels of web, from a "
        "stray pod of the application's namespace, from postgres, and from another computer.",
        control="api reaches the same ports at the same time.",
        remedy=REMEDY,
        crossings=closed(STRANGERS, screens, control=Vantage.API),
    )
    others = _ports(facts, around, other_ports(facts))
    yield Claim(
        id="in-other-ports",
        group=Group.IN,
        sentence="Nobody reaches another port of a computer: neither api, worker and web, nor any other pod.",
        reason="A computer also has ports that only its own programs may use, such as the browser's.",
        method="From inside each of them, and from where claim in-strangers looks, to ports "
        f"{', '.join(map(str, other_ports(facts)))}, on which it answers.",
        control="The computer itself reaches the same ports.",
        remedy=REMEDY,
        crossings=closed((*WATCHERS, *STRANGERS), others, control=Vantage.NEIGHBOUR),
    )


def _ports(facts: Facts, around: Surroundings, ports: tuple[int, ...]) -> list[Destination]:
    addresses = around.cast.get(Vantage.NEIGHBOUR, ())
    return in_families(
        facts, [Destination(name="a computer", address=address, port=port) for address in addresses for port in ports]
    )
