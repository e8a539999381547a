"""What Hetzner refuses, with its code: that it does so today is what the sources in `refusals.py` say, not a cloud."""

import re
from typing import Any

import pytest

from tests.providers.hcloud.recording import RecordingServers
from tests.providers.hcloud.server_order import USER_DATA_BYTES
from tests.providers.refused import RefusedError, UnfinishedError
from tests.unit.providers.hetzner import RULE, Hetzner, server


@pytest.fixture
def hetzner() -> Hetzner:
    return Hetzner()


def refused(hetzner: Hetzner, message: str, **inputs: Any) -> None:
    with pytest.raises(RefusedError, match=re.escape(message)):
        hetzner.server(**inputs)
    assert "server" not in hetzner.project.summary()
    assert hetzner.servers.calls == []


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"serverType": "cx99"}, "server type cx99 not found"),
        ({"serverType": "cx22"}, 'Server Type "cx22" is unavailable in "fsn1" and can no longer be ordered'),
        ({"location": "fra1"}, "location 'fra1' not found (invalid_input)"),
        ({"location": "ash"}, "unsupported location for server type (invalid_input)"),
        ({"serverType": "cax11", "location": "hil"}, "unsupported location for server type (invalid_input)"),
        ({"image": "debian-6"}, "image debian-6 for architecture x86 not found"),
        ({"sshKeys": ["nobody"]}, "SSH key not found: nobody"),
        ({"placementGroupId": 7}, "placement group not found: 7"),
        ({"firewallIds": [7]}, "firewall with ID '7' not found (not_found)"),
        ({"name": "under_score"}, "invalid input in field 'name' (invalid_input)"),
        (
            {"userData": "x" * (USER_DATA_BYTES + 1)},
            "invalid input in field 'user_data' (invalid_input): [user_data => [Length must be between 0 and 32768.]]",
        ),
    ],
)
def test_a_server_that_cannot_be_is_refused_and_nothing_is_made(
    hetzner: Hetzner, inputs: dict[str, Any], message: str
) -> None:
    """B026, B030: unknown, retired, elsewhere, too long."""
    refused(hetzner, message, **inputs)


def test_user_data_of_exactly_32_kib_is_taken(hetzner: Hetzner) -> None:
    """B026: the limit is in bytes."""
    made = hetzner.server(userData="ä" * (USER_DATA_BYTES // 2))
    assert len(hetzner.servers.orders[made.id].user_data.encode()) == USER_DATA_BYTES


def test_what_is_sold_out_is_another_refusal_than_what_was_never_offered(hetzner: Hetzner) -> None:
    """B030: `resource_unavailable` may pass, and another location helps at once."""
    hetzner.project.catalogue.sell_out("cx43", "fsn1")
    refused(hetzner, "error during placement (resource_unavailable)")
    assert hetzner.server(location="nbg1").outputs["location"] == "nbg1"


def test_a_spread_group_has_ten_members_and_no_more(hetzner: Hetzner) -> None:
    """B032: the tenth is taken, the eleventh is not."""
    group = hetzner.make("PlacementGroup", name="spread", type="spread")
    for number in range(10):
        hetzner.server(f"rakazo-{number}", placementGroupId=int(group.id))
    with pytest.raises(RefusedError, match=r"already 10 servers \(placement_group_member_limit_reached\)"):
        hetzner.server("rakazo-10", placementGroupId=int(group.id))
    assert "rakazo-10" not in hetzner.project.summary()["server"]


def test_a_projects_limit_is_a_refusal_of_its_own(hetzner: Hetzner) -> None:
    hetzner.project.limits["server"] = 1
    hetzner.server()
    with pytest.raises(RefusedError, match=r"server limit exceeded \(resource_limit_exceeded\)"):
        hetzner.server("rakazo-2")


@pytest.mark.parametrize(
    ("kind", "inputs", "message"),
    [
        ("Server", server(), "server name is already used (uniqueness_error)"),
        ("Network", {"name": "one", "ipRange": "10.0.0.0/16"}, "name is already used (uniqueness_error)"),
        ("Firewall", {"name": "one", "rules": [RULE]}, "name is already used (uniqueness_error)"),
        ("PlacementGroup", {"name": "one", "type": "spread"}, "name is already used (uniqueness_error)"),
        (
            "PrimaryIp",
            {"name": "one", "type": "ipv4", "location": "fsn1"},
            "Primary IP name is already used (uniqueness_error)",
        ),
        (
            "LoadBalancer",
            {"name": "one", "loadBalancerType": "lb11", "location": "fsn1"},
            "name is already used (uniqueness_error)",
        ),
    ],
)
def test_a_name_is_there_once_in_a_project(hetzner: Hetzner, kind: str, inputs: dict[str, Any], message: str) -> None:
    """B037: a second stack of the same project meets the first one's names."""
    hetzner.make(kind, **inputs)
    with pytest.raises(RefusedError, match=re.escape(message)):
        hetzner.make(kind, **inputs)


def test_a_public_key_is_there_once_in_a_project(hetzner: Hetzner) -> None:
    hetzner.make("SshKey", name="one", publicKey="ssh-ed25519 AAAA")
    with pytest.raises(RefusedError, match=r"same fingerprint already exists \(uniqueness_error\)"):
        hetzner.make("SshKey", name="two", publicKey="ssh-ed25519 AAAA")


@pytest.mark.parametrize(
    ("kind", "inputs", "message"),
    [
        ("Server", server(deleteProtection=True, rebuildProtection=True), "server deletion is protected"),
        ("Network", {"name": "one", "ipRange": "10.0.0.0/16", "deleteProtection": True}, "network deletion is"),
        ("Volume", {"name": "one", "size": 10, "location": "fsn1", "deleteProtection": True}, "volume deletion is"),
        (
            "PrimaryIp",
            {"name": "one", "type": "ipv4", "location": "fsn1", "deleteProtection": True},
            "primary IP deletion is protected",
        ),
        (
            "LoadBalancer",
            {"name": "one", "loadBalancerType": "lb11", "location": "fsn1", "deleteProtection": True},
            "load balancer deletion is protected",
        ),
    ],
)
def test_what_is_protected_stays(hetzner: Hetzner, kind: str, inputs: dict[str, Any], message: str) -> None:
    made = hetzner.make(kind, **inputs)
    with pytest.raises(RefusedError, match=rf"{message}.*\(protected\)"):
        hetzner.delete(kind, made)
    assert hetzner.project.summary() != {}


def test_a_subnet_goes_after_its_servers_and_a_network_after_its_subnets(hetzner: Hetzner) -> None:
    """B036: what is attached keeps the subnet, and a destroy in the wrong order is seen at once."""
    network, subnet = hetzner.network()
    made = hetzner.server(networks=[{"subnetId": subnet.id}])
    with pytest.raises(RefusedError, match=r"servers are attached to it \(service_error\)"):
        hetzner.delete("NetworkSubnet", subnet)
    hetzner.delete("Server", made)
    with pytest.raises(RefusedError, match=r"\(resource_in_use\)"):
        hetzner.delete("Network", network)
    hetzner.delete("NetworkSubnet", subnet)
    hetzner.delete("Network", network)
    assert hetzner.project.summary() == {}


@pytest.mark.parametrize(
    ("kind", "inputs", "used_as"),
    [
        ("Firewall", {"name": "one", "rules": [RULE]}, "firewallIds"),
        ("PlacementGroup", {"name": "one", "type": "spread"}, "placementGroupId"),
    ],
)
def test_what_a_server_uses_goes_after_it(hetzner: Hetzner, kind: str, inputs: dict[str, Any], used_as: str) -> None:
    used = hetzner.make(kind, **inputs)
    using: dict[str, Any] = {used_as: [int(used.id)] if used_as == "firewallIds" else int(used.id)}
    made = hetzner.server(**using)
    with pytest.raises(RefusedError, match=r"\(resource_in_use\)"):
        hetzner.delete(kind, used)
    hetzner.delete("Server", made)
    hetzner.delete(kind, used)


def test_an_address_that_a_server_has_is_neither_given_away_nor_deleted(hetzner: Hetzner) -> None:
    address = hetzner.make("PrimaryIp", name="one", type="ipv4", location="fsn1")
    public = [{"ipv4": int(address.id), "ipv6Enabled": False}]
    made = hetzner.server(publicNets=public)
    assert made.outputs["ipv4Address"] == address.outputs["ipAddress"]
    with pytest.raises(RefusedError, match=r"\(must_be_unassigned\)"):
        hetzner.delete("PrimaryIp", address)
    with pytest.raises(RefusedError, match=r"\(primary_ip_assigned\)"):
        hetzner.server("rakazo-2", publicNets=public)
    hetzner.delete("Server", made)
    hetzner.delete("PrimaryIp", address)
    assert hetzner.project.summary() == {}


def test_an_address_of_another_location_or_version_is_refused(hetzner: Hetzner) -> None:
    address = hetzner.make("PrimaryIp", name="one", type="ipv4", location="hel1")
    refused(hetzner, "(primary_ip_datacenter_mismatch)", publicNets=[{"ipv4": int(address.id)}])
    refused(hetzner, "(primary_ip_version_mismatch)", publicNets=[{"ipv6": int(address.id)}])


def test_a_server_in_another_network_zone_is_made_and_not_attached(hetzner: Hetzner) -> None:
    """B029: the server is there, billed, and the engine keeps it."""
    _, subnet = hetzner.network(zone="us-east")
    with pytest.raises(UnfinishedError, match=r"no subnet or IP available \(no_subnet_available\)") as error:
        hetzner.server(networks=[{"subnetId": subnet.id}])
    assert error.value.resource_id in hetzner.servers.orders


def test_a_private_address_that_somebody_has_is_refused(hetzner: Hetzner) -> None:
    """B043: a server with a fixed address cannot be replaced before it is gone."""
    _, subnet = hetzner.network()
    hetzner.server(networks=[{"subnetId": subnet.id, "ip": "10.0.1.11"}])
    with pytest.raises(UnfinishedError, match=r"IP not available \(ip_not_available\)"):
        hetzner.server("rakazo-2", networks=[{"subnetId": subnet.id, "ip": "10.0.1.11"}])


def test_a_server_for_which_there_is_no_address_is_not_made(hetzner: Hetzner) -> None:
    hetzner.project.addresses = ()
    refused(hetzner, "no Primary IP available (resource_unavailable)")
    assert hetzner.project.summary() == {}


class Broken(RecordingServers):
    """Has no room for a machine."""

    def create(self, order: Any) -> None:
        raise OSError("no space left on the host")


def test_a_machine_that_cannot_be_made_leaves_nothing_and_says_why() -> None:
    hetzner = Hetzner(servers=Broken())
    with pytest.raises(RefusedError, match=r"no space left on the host \(server_error\)"):
        hetzner.server()
    assert hetzner.project.summary() == {}
