"""What an address is to a reader of a report: one of a few kinds, however many addresses there are of it."""

from enum import StrEnum

from probes.claims.destinations import FIRST_DISPLAY, FIRST_SCREEN
from probes.claims.metadata import METADATA_SERVICES
from probes.prober import Stack
from probes.reach import Destination
from probes.vantage import Vantage


class Kind(StrEnum):
    """Kinds of destinations, in the order in which they are drawn."""

    PUBLIC_WEB = "public web"
    NAMES = "names (DNS)"
    SCREENS = "computers' screens"
    OTHER_PORTS = "computers' other ports"
    API = "api"
    WEB = "web"
    POSTGRES = "postgres"
    PODS = "other pods"
    SERVICES = "other Services"
    NODES = "nodes"
    MACHINE = "the machine"
    CONTAINERS = "other containers"
    SUPERVISOR = "supervisor"
    API_SERVER = "API server"
    DNS_METRICS = "metrics of cluster DNS"
    METADATA = "cloud metadata"
    NEIGHBOURS = "private networks"


_METADATA = frozenset(each.address for each in METADATA_SERVICES)
_BY_NAME = {
    "cluster DNS metrics": Kind.DNS_METRICS,
    str(Vantage.CONTROL): Kind.PODS,
    str(Vantage.BYSTANDER): Kind.PODS,
    str(Vantage.STRANGER): Kind.CONTAINERS,
    str(Vantage.LISTENER): Kind.CONTAINERS,
    "the machine": Kind.MACHINE,
    "a port of the machine": Kind.MACHINE,
    "a Service without policies": Kind.SERVICES,
}
_BY_BEGINNING = {
    "API server": Kind.API_SERVER,
    "a neighbour": Kind.NEIGHBOURS,
    "node ": Kind.NODES,
    "api by ": Kind.API,
    "web by ": Kind.WEB,
    "postgres by ": Kind.POSTGRES,
    "supervisor by ": Kind.SUPERVISOR,
}
_COMPUTERS = ("a computer", "a screen of another computer")
_ORDER = [str(kind) for kind in Kind]


def kind_of(target: Destination, facts: Stack) -> str:
    """Return the kind of a destination; its own name when it is of none."""
    if target.address in _METADATA:
        return Kind.METADATA
    if target.name in _COMPUTERS:
        screen = target.port == FIRST_SCREEN or FIRST_DISPLAY <= target.port <= facts.last_screen_port
        return Kind.SCREENS if screen else Kind.OTHER_PORTS
    if target.name in _BY_NAME:
        return _BY_NAME[target.name]
    if " of node " in target.name:
        return Kind.NODES
    return next((kind for begins, kind in _BY_BEGINNING.items() if target.name.startswith(begins)), target.name)


def place(kind: str) -> tuple[int, str]:
    """Return where a kind stands in a picture; unknown ones come last, by name."""
    return (_ORDER.index(kind) if kind in _ORDER else len(_ORDER), kind)
