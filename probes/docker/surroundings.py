"""What stands around a computer right now: the machine's addresses and listeners, and the application's containers."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

from probes.docker.containers import PROJECT, SERVICE, Containers
from probes.docker.facts import DockerFacts
from probes.docker.runner import Runner
from probes.vantage import DOCKER_SERVICES, Vantage

COMPUTERS = "rakazo-c"
"""How the names of computers' bridges begin, which is all that the rules know of them."""
BOTS = "rakazo-bot-"
"""How the names of computers begin that the supervisor made."""
NETWORKS = "rakazo-computer-"
"""How the names of their networks begin."""
_RESOLVER = re.compile(r"^nameserver\s+([0-9a-fA-F.:]+)", re.MULTILINE)
STUB = {"127.0.0.53"}
"""systemd's own resolver: Docker then asks those behind it."""


@dataclass(frozen=True, kw_only=True)
class Around:
    """Addresses and names that only the running machine knows."""

    machine: tuple[str, ...] = ()
    """Every address of the machine that is not loopback or link-local, those of computers' bridges left out."""
    listeners: tuple[int, ...] = ()
    """TCP ports on which the machine answers on one of them."""
    resolvers: tuple[str, ...] = ()
    """Where Docker asks for names on behalf of a container."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Name of a running container of each service of the application, by the service's name; the first of several."""
    containers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of all of them."""
    services: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Addresses of all of them, one per network that each is on; networks of computers are left out."""
    versions: tuple[str, str] = ("", "")
    """Of Docker Engine and of its runtime."""
    cast: Mapping[Vantage, tuple[str, ...]] = field(default_factory=dict)
    """Addresses of a verification's own containers, once they run."""
    gateways: tuple[str, ...] = ()
    """Addresses that the machine has on the bridge of the computer that looks."""

    @property
    def families(self) -> set[int]:
        """The address families that computers have; IPv4 as long as none runs."""
        return {ip_address(text).version for text in self.cast.get(Vantage.COMPUTER) or ("0.0.0.0",)}  # noqa: S104


def look_around(containers: Containers, facts: DockerFacts) -> Around:
    """Ask the machine and its Docker; ProbeError when either does not answer."""
    machine = containers.machine
    running = _running(containers, facts)
    return Around(
        machine=tuple(_addresses(json.loads(_said(machine, ["ip", "-json", "address", "show"])))),
        listeners=tuple(_listeners(_said(machine, ["ss", "-Hltn"]))),
        resolvers=resolvers(machine),
        names={service: _name(many[0]) for service, many in running.items()},
        containers={service: tuple(map(_name, many)) for service, many in running.items()},
        services={service: _each_once(*map(addresses_of, many)) for service, many in running.items()},
        versions=_versions(containers),
    )


def resolvers(machine: Runner) -> tuple[str, ...]:
    """Return the resolvers that are not loopback, from the file that Docker reads."""
    found = set(_RESOLVER.findall(_said(machine, ["cat", "/etc/resolv.conf"])))
    if found and found <= STUB:
        found = set(_RESOLVER.findall(_said(machine, ["cat", "/run/systemd/resolve/resolv.conf"])))
    return tuple(sorted(each for each in found if not ip_address(each).is_loopback))


def addresses_of(container: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a container's addresses on all networks but those of computers, each once."""
    networks = container["NetworkSettings"]["Networks"] or {}
    return _each_once(
        each[key]
        for name, each in networks.items()
        if not name.startswith(NETWORKS)
        for key in ("IPAddress", "GlobalIPv6Address")
        if each.get(key)
    )


def _each_once(*many: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(itertools.chain(*many)))


def _name(container: Mapping[str, Any]) -> str:
    return str(container["Name"]).removeprefix("/")


def _said(machine: Runner, command: list[str]) -> str:
    return machine.run(command).output


def _addresses(interfaces: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for interface in interfaces:
        if interface.get("ifname", "").startswith(COMPUTERS):
            continue
        for each in interface.get("addr_info", []):
            address = ip_address(each["local"])
            if not address.is_loopback and not address.is_link_local:
                yield str(address)


def _listeners(text: str) -> list[int]:
    """Return the ports of what `ss` lists, without those that loopback alone has."""
    found = set()
    for line in text.splitlines():
        local = line.split()[3]
        host, _, port = local.rpartition(":")
        host = host.partition("%")[0].strip("[]")
        if host == "*" or not ip_address(host).is_loopback:
            found.add(int(port))
    return sorted(found)


def _running(containers: Containers, facts: DockerFacts) -> dict[str, list[dict[str, Any]]]:
    """Return the running containers of each service that has any, in the order of their names."""
    found: dict[str, list[dict[str, Any]]] = {}
    for each in containers.inspect(*sorted(containers.names(f"label={PROJECT}={facts.application}"))):
        service = each["Config"]["Labels"].get(SERVICE)
        if service in set(DOCKER_SERVICES) and each["State"]["Running"]:
            found.setdefault(service, []).append(each)
    return found


def _versions(containers: Containers) -> tuple[str, str]:
    told = json.loads(containers.docker("version", "--format", "{{json .Server}}"))
    runtime = [each["Version"] for each in told.get("Components", []) if each["Name"] == "runc"]
    return str(told["Version"]), str(next(iter(runtime), ""))
