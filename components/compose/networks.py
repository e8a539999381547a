"""The networks between services, and who is on which."""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

INTERFACE = "com.docker.network.bridge.name"
MASQUERADE = "com.docker.network.bridge.enable_ip_masquerade"
SUPERVISOR_PREFIX = 28
"""Sixteen addresses: more than the three services that are there ever take."""


@dataclass(frozen=True, kw_only=True)
class Network:
    """One bridge. Its interface has a name that no computer's has: those begin with `rakazo-c`."""

    interface: str
    members: tuple[str, ...]
    internal: bool = True
    """Whether no way leads out of it."""
    masquerades: bool = True
    """Whether what leaves it has the machine's address; without one no answer ever comes back."""
    name: str | None = None
    """What Docker calls it; None: the project's name and its own."""


NETWORKS: Mapping[str, Network] = {
    # A port of the machine leads into no internal network; this one leads in and not out.
    # Web keeps its way to the machine on the network whose name sorts first, and joins `rakazo-computer-…` for screens:
    # with a name that sorts later, its port would move there, and each new computer would cut every connection.
    "front": Network(
        interface="rakazo-front", members=("web",), internal=False, masquerades=False, name="rakazo-1-front"
    ),
    "app": Network(interface="rakazo-app", members=("api", "web")),
    "database": Network(interface="rakazo-db", members=("postgres", "migrate", "api", "worker")),
    "supervisor": Network(interface="rakazo-sup", members=("supervisor", "api", "worker")),
    # To providers of models and plugins.
    "outside": Network(interface="rakazo-out", members=("api", "worker"), internal=False),
}
"""By name. Whoever is not a member of a network cannot reach who is."""


def networks_of(service: str) -> list[str]:
    """Return the networks of a service."""
    return [name for name, network in NETWORKS.items() if service in network.members]


def supervisor_range(pool: str) -> str:
    """Return the range of the supervisor's network as CIDR text: the last of the pool.

    Docker gives out the pool from its beginning, to several networks at once when a project is made.
    """
    last = int(ip_network(pool).broadcast_address) - 2 ** (32 - SUPERVISOR_PREFIX) + 1
    return str(ip_network((last, SUPERVISOR_PREFIX)))


def supervisor_address(pool: str) -> str:
    """Return the supervisor's address: the last of its range, for the same reason."""
    return str(ip_network(supervisor_range(pool))[-2])


def render_networks(pool: str) -> dict[str, Any]:
    """Return the networks as Compose reads them."""
    rendered: dict[str, Any] = {}
    for name, network in NETWORKS.items():
        options = {INTERFACE: network.interface} | ({} if network.masquerades else {MASQUERADE: "false"})
        called = {"name": network.name} if network.name else {}
        rendered[name] = {**called, "driver_opts": options} | ({"internal": True} if network.internal else {})
    rendered["supervisor"]["ipam"] = {"config": [{"subnet": supervisor_range(pool)}]}
    return rendered
