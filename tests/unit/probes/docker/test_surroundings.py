"""What a machine says of itself, read as a verification reads it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from probes.docker.containers import Containers
from probes.docker.runner import Did
from probes.docker.surroundings import Around, addresses_of, look_around
from probes.vantage import Vantage
from tests.unit.probes.docker.example import facts

LISTENING = """LISTEN 0 128 0.0.0.0:22 0.0.0.0:*
LISTEN 0 128 [::]:22 [::]:*
LISTEN 0 4096 127.0.0.1:5173 0.0.0.0:*
LISTEN 0 4096 127.0.0.53%lo:53 0.0.0.0:*
LISTEN 0 4096 [::1]:631 [::]:*
LISTEN 0 511 *:443 *:*
LISTEN 0 128 [fe80::1]%eth0:546 [::]:*
"""
INTERFACES = [
    {"ifname": "lo", "addr_info": [{"local": "127.0.0.1"}, {"local": "::1"}]},
    {"ifname": "eth0", "addr_info": [{"local": "203.0.113.9"}, {"local": "2a00::9"}, {"local": "fe80::1"}]},
    {"ifname": "rakazo-c0123456", "addr_info": [{"local": "10.189.20.1"}]},
    {"ifname": "rakazo-app", "addr_info": [{"local": "10.189.1.1"}]},
]
VERSION = {
    "Version": "28.5.2",
    "Components": [{"Name": "Engine", "Version": "28.5.2"}, {"Name": "runc", "Version": "1.3.0"}],
}


def service(name: str, *, running: bool = True, number: int = 1) -> dict[str, Any]:
    return {
        "Name": f"/rakazo-{name}-{number}",
        "Config": {"Labels": {"com.docker.compose.service": name}},
        "State": {"Running": running},
        "NetworkSettings": {
            "Networks": {
                "rakazo_app": {"IPAddress": f"10.189.1.{number + 2}", "GlobalIPv6Address": ""},
                "rakazo-computer-anna-0123": {"IPAddress": "10.189.20.3"},
            }
        },
    }


class Told:
    """A machine that answers by the program it is asked for."""

    def __init__(self, files: Mapping[str, str], found: Sequence[dict[str, Any]] = ()) -> None:
        self.files = files
        self.found = found or [service("api"), service("worker", running=False), service("migrate")]

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        return Did(exit_code=0, output=self._answer(list(command)), errors="")

    def _answer(self, command: list[str]) -> str:
        match command:
            case ["ss", *_]:
                return LISTENING
            case ["ip", *_]:
                return json.dumps(INTERFACES)
            case ["cat", path]:
                return self.files[path.rpartition("/")[2] if "systemd" not in path else "systemd"]
            case ["docker", "version", *_]:
                return json.dumps(VERSION)
            case ["docker", "ps", *_]:
                return "".join(each["Name"].removeprefix("/") + "\n" for each in self.found)
            case ["docker", "container", "inspect", *names]:
                return json.dumps([each for name in names for each in self.found if each["Name"] == f"/{name}"])
        raise AssertionError(command)


def test_everything_around_a_computer_is_found() -> None:
    machine = Told({"resolv.conf": "nameserver 192.168.1.1\nnameserver 127.0.0.1\noptions edns0\n"})
    found = look_around(Containers(machine), facts())
    assert found.machine == ("203.0.113.9", "2a00::9", "10.189.1.1"), (
        "without loopback, link-local and computers' bridges"
    )
    assert 22 in found.listeners
    assert 443 in found.listeners
    assert {5173, 53, 631} & set(found.listeners) == set(), "loopback is reached by the machine alone"
    assert found.resolvers == ("192.168.1.1",)
    assert found.names == {"api": "rakazo-api-1"}, "what has ended, and what ends by itself, answers nobody"
    assert found.services == {"api": ("10.189.1.3",)}
    assert found.versions == ("28.5.2", "1.3.0")


def test_every_container_of_a_service_is_found() -> None:
    """A second one may run another image, and has addresses of its own."""
    machine = Told({"resolv.conf": "nameserver 192.168.1.1\n"}, [service("web", number=2), service("web")])
    found = look_around(Containers(machine), facts())
    assert found.names == {"web": "rakazo-web-1"}
    assert found.containers == {"web": ("rakazo-web-1", "rakazo-web-2")}
    assert found.services == {"web": ("10.189.1.3", "10.189.1.4")}


@pytest.mark.parametrize("cast", [{}, {Vantage.COMPUTER: ()}])
def test_a_computer_without_an_address_is_taken_for_one_of_ipv4(cast: dict[Vantage, tuple[str, ...]]) -> None:
    """Otherwise the claims about ways out would be none at all."""
    assert Around(cast=cast).families == {4}


def test_resolvers_behind_a_stub_are_those_that_docker_asks() -> None:
    machine = Told({"resolv.conf": "nameserver 127.0.0.53\n", "systemd": "nameserver 10.0.0.2\n"})
    assert look_around(Containers(machine), facts()).resolvers == ("10.0.0.2",)


@pytest.mark.parametrize("networks", [None, {}, {"rakazo-computer-anna-0123": {"IPAddress": "10.189.20.3"}}])
def test_a_container_on_no_network_of_its_own_has_no_address(networks: dict[str, Any] | None) -> None:
    assert addresses_of({"NetworkSettings": {"Networks": networks}}) == ()
