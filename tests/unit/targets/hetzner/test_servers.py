"""Rented servers themselves, and where they are ordered."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pytest

from tests.unit.example import secrets_of
from tests.unit.graph import named
from tests.unit.outputs import HOST_PUBLIC_KEY, hetzner
from tests.unit.recorder import Secret
from tests.unit.targets.hetzner.example import NODES, five, made, servers


def test_a_machine_is_never_replaced_by_what_it_is_told_once() -> None:
    """B025: keys, images and first-start texts change; servers and the etcd on them stay."""
    for server in servers(five()).values():
        assert set(server.ignore_changes) >= {"userData", "image", "sshKeys", "placementGroupId", "location"}


def test_servers_are_attached_to_the_subnet_with_addresses_of_the_plan() -> None:
    """B027: with the network's id alone the subnet may not exist yet, or be another."""
    subnet = named(five(), "cluster-around-subnet")
    for key, server in servers(five()).items():
        (attached,) = server.inputs["networks"]
        assert attached["subnetId"].endswith("-10.0.1.0/24")
        assert attached["aliasIps"] == [], "unsaid they are detached and attached again at every run"
        assert "networkId" not in attached
        assert subnet.urn in server.dependencies
        number = int(key.rpartition("-")[2])
        assert attached["ip"] == f"10.0.1.{number + (10 if key.startswith('server') else 100)}"


def test_an_address_is_given_back_before_it_is_taken_again() -> None:
    """B043: and the public one outlives the server."""
    for server in servers(five()).values():
        assert server.delete_before_replace
    for address in five().of_kind("PrimaryIp"):
        assert address.inputs["autoDelete"] is False
        assert address.inputs["assigneeType"] == "server"
        assert "location" in address.ignore_changes


def test_no_server_names_a_data_centre() -> None:
    """B031."""
    for item in (*five().of_kind("Server"), *five().of_kind("PrimaryIp")):
        assert "datacenter" not in item.inputs
        assert item.inputs["location"] == "fsn1"


def test_sold_out_in_the_first_location_is_taken_in_the_second() -> None:
    """B030."""
    recorder, _ = made(hetzner("cx43@fsn1"))
    assert {server.inputs["location"] for server in servers(recorder).values()} == {"nbg1"}


THERE = {f"rakazo-team-{key}": "cx33" if key.startswith("server") else "cx43" for key in NODES}
"""The stack's servers at Hetzner, with their types."""


@pytest.mark.parametrize(
    "there",
    [
        {},
        dict(list(THERE.items())[:4]),
        {**THERE, "rakazo-team-computers-1": "cx33"},
        {**dict.fromkeys("abcde", "cx43")},
    ],
    ids=["none", "four of five", "a smaller one", "others"],
)
def test_sold_out_everywhere_stops_before_anything_is_ordered(there: dict[str, str]) -> None:
    """B030: also when one of five is all that is missing, or is to have a larger type, which is an order too."""
    with pytest.raises(pulumi.RunError, match=r"cx43 is sold out in fsn1 .* cx43 is sold out in nbg1"):
        made(hetzner("cx43@fsn1", "cx43@nbg1", servers=there))


def test_what_is_sold_out_does_not_stop_a_stack_that_has_its_servers() -> None:
    """B030: an upgrade of k3s on a day without stock."""
    recorder, _ = made(hetzner("cx43@fsn1", "cx43@nbg1", servers=THERE))
    assert len(servers(recorder)) == 5


def test_only_the_stacks_own_servers_count_as_there() -> None:
    """B030: another stack in the project has servers too."""
    asked: list[Mapping[str, Any]] = []

    def existing(question: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(question)
        return {"servers": [{"name": name, "serverType": kind} for name, kind in THERE.items()]}

    made({**hetzner("cx43@fsn1", "cx43@nbg1"), "hcloud:index/getServers:getServers": existing})
    assert asked == [{"withSelector": "managed-by=rakazo-infra,rakazo-stack=team"}]


def test_the_user_data_holds_the_machines_own_identity_and_no_secret_of_the_stack() -> None:
    """What a pod that reaches the metadata service could read."""
    for server in servers(five()).values():
        hidden = server.inputs["userData"]
        assert isinstance(hidden, Secret)
        for key, secret in secrets_of("hetzner").items():
            assert secret not in hidden.value, key
        assert HOST_PUBLIC_KEY in hidden.value
        assert "K10" not in hidden.value


def test_every_machine_is_known_by_a_key_of_its_own() -> None:
    keys = five().of_kind("PrivateKey")
    assert len(keys) == 5
    assert {key.inputs["algorithm"] for key in keys} == {"ED25519"}


@pytest.mark.parametrize("protect", [True, False])
def test_protection_is_the_same_here_and_at_hetzner(protect: bool) -> None:
    for server in servers(made(protect=protect)[0]).values():
        assert server.protect is protect
        assert server.inputs["deleteProtection"] is protect
        assert server.inputs["rebuildProtection"] is protect
