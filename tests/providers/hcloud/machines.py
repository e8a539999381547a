"""What stands behind the servers and load balancers of the stand-in: nothing in its own tests, machines in others."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar, cast

from tests.providers.refused import RefusedError


@dataclass(frozen=True, kw_only=True)
class ServerOrder:
    """A server as Hetzner makes it: from here on it has a public side, or none, and no private one yet."""

    id: str
    """Numeric; the metadata service answers it as `instance-id`."""
    name: str
    server_type: str
    location: str
    image: str
    user_data: str = field(repr=False)
    ssh_keys: tuple[str, ...]
    """Lines of authorized_keys for root."""
    public_ipv4: str | None
    rules: "Sequence[FirewallRule] | None"
    """See :meth:`Servers.apply_firewall`; in force before the server starts."""
    start: bool
    """False for a server without a public side: it is switched on once it has a private one."""


@dataclass(frozen=True, kw_only=True)
class PrivateAddress:
    """A network interface on a private network: MTU 1450, a /32 with a route to the network's range by `gateway`."""

    network: str
    """Id of the network."""
    network_range: str
    address: str
    gateway: str
    """The first address of the network's range, whatever the subnet."""
    mac_address: str
    alias_ips: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FirewallRule:
    """One rule; what no rule allows inwards is dropped, outwards everything is allowed unless there is an out rule."""

    direction: Literal["in", "out"]
    protocol: Literal["tcp", "udp", "icmp", "esp", "gre"]
    port: str | None
    """`22`, `80-85` or `any`; None where the protocol has none."""
    addresses: tuple[str, ...]
    """Networks, sources of an in rule and destinations of an out rule."""


T = TypeVar("T")


class Servers(Protocol):
    """What boots. Every method may take its time and is called by many threads, never by two for one server.

    Raise what you like: the operator reads the exception's text as `server_error`. A server whose `create` raises is
    destroyed again and nothing of it is left; whatever fails later is finished by the next deployment.
    """

    def create(self, order: ServerOrder) -> None:
        """Make a server and switch it on; return when it starts, not when it has booted, as Hetzner does."""

    def attach_network(self, server: str, interface: PrivateAddress) -> None:
        """Plug in a private interface, which happens while the server boots already (B028)."""

    def detach_network(self, server: str, network: str) -> None:
        """Unplug it."""

    def apply_firewall(self, server: str, rules: Sequence[FirewallRule] | None) -> None:
        """Filter the public interface, never a private one; None: no firewall is applied, so everything passes."""

    def set_public_ipv4(self, server: str, address: str | None) -> None:
        """Give another public address, or none; the server is switched off meanwhile."""

    def power_on(self, server: str) -> None:
        """Switch on."""

    def power_off(self, server: str, *, gracefully: bool) -> None:
        """Switch off; gracefully is a press of the button, otherwise the plug is pulled."""

    def destroy(self, server: str) -> None:
        """Remove the server with its disk; no error when it is not there."""


@dataclass(frozen=True, kw_only=True)
class BalancerTarget:
    """A server that gets traffic, at one of its addresses."""

    server: str
    address: str


@dataclass(frozen=True, kw_only=True)
class BalancerService:
    """A port that is passed on."""

    protocol: Literal["tcp", "http", "https"]
    listen_port: int
    destination_port: int
    proxy_protocol: bool


@dataclass(frozen=True, kw_only=True)
class BalancerPlan:
    """Everything about a load balancer."""

    id: str
    name: str
    public_ipv4: str | None
    """None when its public interface is off."""
    private: PrivateAddress | None
    services: tuple[BalancerService, ...]
    targets: tuple[BalancerTarget, ...]


class Balancers(Protocol):
    """What passes traffic on."""

    def balance(self, plan: BalancerPlan) -> None:
        """Make a load balancer be like this; the first plan of an id makes it."""

    def remove(self, balancer: str) -> None:
        """Remove it."""


def reporting(machines: T) -> T:
    """Return the same, with every exception made into one that the operator reads."""
    return cast("T", _Reporting(machines))


class _Reporting:
    def __init__(self, machines: object) -> None:
        self._machines = machines

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._machines, name)
        if not callable(method):
            return method

        def report(*arguments: Any, **keywords: Any) -> Any:
            try:
                return method(*arguments, **keywords)
            except RefusedError:
                raise
            except Exception as error:
                raise RefusedError(f"{error} (server_error)") from error

        return report
