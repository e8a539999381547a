"""A rented server for Docker computers: what is declared, and what a cluster's servers have that it has not."""

import functools
from typing import Any

import pulumi
import pytest
import yaml

from components.docker.machine import DockerMachine
from components.targets.hetzner.docker_server import RentedDockerServer, RentedDockerServerArgs
from stacks.target.docker_hetzner import DockerHetznerTarget
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.graph import everything_before, named
from tests.unit.outputs import hetzner
from tests.unit.recorder import Recorder, Secret, record
from tests.unit.stacks.docker_stack import accepted, on_hetzner


def made(cpu: str = "2", **target: Any) -> tuple[Recorder, DockerMachine]:
    settings_of_stack = on_hetzner(**target)
    settings_of_stack["computers"]["cpu"] = cpu
    stack, found = accepted(settings_of_stack), list[DockerMachine]()
    assert isinstance(stack.target, DockerHetznerTarget)
    settings = stack.target

    def program() -> None:
        args = RentedDockerServerArgs(
            stack="team",
            settings=settings,
            computers=stack.computers,
            secrets=secret_outputs(**secrets_of("docker-hetzner")),
        )
        found.append(RentedDockerServer("machine", args).machine)

    return record(program, answers=hetzner()), found[0]


@functools.cache
def plain() -> Recorder:
    return made()[0]


def test_a_preview_says_how_many_computers_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """B065: as Hetzner itself knows the server's memory."""
    said: dict[str, list[str]] = {"info": [], "warn": []}
    for level, lines in said.items():
        monkeypatch.setattr(pulumi.log, level, lines.append)
    made(server={"type": "cx43"})
    assert [line[:44] for line in said["info"]] == ["cx43 has 16 GiB: 6 computers fit (about 4 Gi"]
    assert said["warn"] == []
    made(server={"type": "cx33"})
    (warning,) = said["warn"]
    assert "cx33 has 8 GiB: 2 computers fit" in warning
    assert "write maximum: 2" in warning


def test_a_server_with_fewer_cores_than_a_computers_limit_is_refused_before_it_is_rented() -> None:
    """Docker refuses such a limit, and the server would be paid for by then."""
    made(cpu="4", server={"type": "cx33"})
    with pytest.raises(pulumi.RunError, match="cx33 has 4 cores, and Docker refuses"):
        made(cpu="4500m", server={"type": "cx33"})


def test_one_server_with_an_address_a_firewall_and_a_key() -> None:
    kinds = [item.kind for item in plain().seen if item.typ.startswith(("hcloud:", "tls:"))]
    assert sorted(kinds) == ["Firewall", "PlacementGroup", "PrimaryIp", "PrivateKey", "Server", "SshKey"]
    (server,) = plain().of_kind("Server")
    assert server.inputs["name"] == "rakazo-team-server-1"
    assert "networks" not in server.inputs, "it shares a network with nobody"
    assert server.protect


def test_the_firewall_lets_in_ssh_from_who_is_named_and_no_kubernetes() -> None:
    """B038, B040."""
    (firewall,) = plain().of_kind("Firewall")
    assert [(rule.get("port"), rule["sourceIps"]) for rule in firewall.inputs["rules"]] == [
        (None, ["0.0.0.0/0", "::/0"]),
        ("22", ["198.51.100.7/32"]),
    ]
    (closed,) = made(admin_cidrs=[])[0].of_kind("Firewall")
    assert [rule["protocol"] for rule in closed.inputs["rules"]] == ["icmp"]


def test_the_server_is_told_its_key_and_waits_for_no_interface() -> None:
    (server,) = plain().of_kind("Server")
    hidden = server.inputs["userData"]
    assert isinstance(hidden, Secret)
    told = yaml.safe_load(hidden.value)
    assert set(told["ssh_keys"]) == {"ed25519_private", "ed25519_public"}
    assert not {"runcmd", "write_files"} & set(told)
    secrets = secrets_of("docker-hetzner")
    assert [key for key, value in secrets.items() if value in hidden.value] == []


def test_everything_on_the_machine_goes_with_the_server_and_comes_again_with_another() -> None:
    reach = named(plain(), "machine-reach")
    (server,) = plain().of_kind("Server")
    assert reach.deleted_with == server.urn
    assert reach.inputs["triggers"], "another server would not be looked at"
    assert server.urn.rpartition("::")[2] in everything_before(plain(), reach)
    assert server.replacement_trigger == 0, "B025: nothing here makes it anew"


def test_the_machine_is_new_and_known_by_its_key_before_it_exists() -> None:
    _, machine = made()
    assert machine.is_new
    assert machine.name == "rakazo-team-server-1"
    assert machine.gone_with is not None
