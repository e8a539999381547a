"""Parts of which the claims about the network are made."""

from collections.abc import Iterable, Iterator
from ipaddress import ip_network

from probes.crossing import Crossing
from probes.facts import Facts
from probes.prober import Stack
from probes.reach import DNS_QUERY, Destination
from probes.vantage import Vantage

DNS_PORT = 53
FIRST_SCREEN, FIRST_DISPLAY = 6080, 6100
FAMILIES = {4: "IPv4", 6: "IPv6"}


def families(facts: Facts) -> set[int]:
    """Return the address families that pods have: 4, 6 or both."""
    return {ip_network(text).version for text in facts.pods}


def in_families(facts: Facts, destinations: Iterable[Destination]) -> list[Destination]:
    """Leave out what a pod has no address to reach it from."""
    have = families(facts)
    return [each for each in destinations if each.family in have]


def endpoint(text: str, name: str) -> Destination:
    """Return `10.0.0.7:80` or `[fd00::7]:80` as a destination."""
    host, _, port = text.rpartition(":")
    return Destination(name=name, address=host.removeprefix("[").removesuffix("]"), port=int(port))


def by_every_protocol(listener: Destination) -> Iterator[Destination]:
    """Yield a listener as it is, the DNS port beside it, and the host by ping.

    What does not answer even the control is no evidence and is shown as such.
    """
    yield listener
    yield Destination(name=listener.name, address=listener.address, port=DNS_PORT, datagram=DNS_QUERY)
    yield Destination(name=listener.name, address=listener.address)


def closed(
    sources: Iterable[Vantage], targets: Iterable[Destination], *, control: Vantage | None = None, witness: str = ""
) -> tuple[Crossing, ...]:
    """Return what must be closed, from everywhere to everywhere."""
    listed = list(targets)
    return tuple(
        Crossing(source=source, target=target, open=False, control=control, witness=witness)
        for source in sources
        for target in listed
    )


def opened(sources: Iterable[Vantage], targets: Iterable[Destination]) -> tuple[Crossing, ...]:
    """Return what must be open, from everywhere to everywhere."""
    listed = list(targets)
    return tuple(Crossing(source=source, target=target, open=True) for source in sources for target in listed)


def screen_ports(facts: Stack) -> tuple[int, ...]:
    """Return ports of both ends and the middle of the screens' range."""
    middle = (FIRST_DISPLAY + facts.last_screen_port) // 2
    return tuple(sorted({FIRST_SCREEN, FIRST_DISPLAY, middle, facts.last_screen_port}))


def other_ports(facts: Stack) -> tuple[int, ...]:
    """Return ports beside the screens' range, and those on which a desktop has something to hide.

    5900 is VNC's own, 7070 the computer's control service.
    """
    return (5900, FIRST_SCREEN + 1, FIRST_DISPLAY - 1, facts.last_screen_port + 1, 7070)
