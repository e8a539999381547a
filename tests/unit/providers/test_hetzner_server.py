"""What the stand-in makes of a server, and what it asks of the machines behind it."""

import base64
import hashlib
import threading
from typing import Any

import pytest

from tests.providers import lifecycle
from tests.providers.hcloud.machines import FirewallRule, PrivateAddress
from tests.providers.hcloud.recording import RecordingServers
from tests.providers.lifecycle import compare
from tests.providers.refused import RefusedError, UnfinishedError
from tests.providers.resource_type import Resource
from tests.unit.providers.hetzner import CALL, RULE, Hetzner, server


@pytest.fixture
def hetzner() -> Hetzner:
    return Hetzner()


def test_a_machine_gets_what_the_program_gave(hetzner: Hetzner) -> None:
    """Name, user data, key, address and rules are there before it starts."""
    key = hetzner.make("SshKey", name="admin", publicKey="ssh-ed25519 AAAA")
    firewall = hetzner.make("Firewall", name="in", rules=[RULE])
    made = hetzner.server(userData="#cloud-config", sshKeys=[key.id], firewallIds=[int(firewall.id)])
    order = hetzner.servers.orders[made.id]
    assert (order.name, order.user_data, order.ssh_keys) == ("rakazo-1", "#cloud-config", ("ssh-ed25519 AAAA",))
    assert order.public_ipv4 == made.outputs["ipv4Address"] == "192.175.48.101"
    assert order.rules == (FirewallRule(direction="in", protocol="tcp", port="22", addresses=("198.51.100.7/32",)),)
    assert order.start


def test_the_state_keeps_a_digest_of_user_data_and_the_inputs_keep_it_whole(hetzner: Hetzner) -> None:
    made = hetzner.server(userData="#cloud-config")
    digest = base64.b64encode(hashlib.sha1(b"#cloud-config").digest()).decode()  # noqa: S324 - the provider's format
    assert made.outputs["userData"] == digest
    found = hetzner.read("Server", made)
    assert found is not None
    assert found.inputs["userData"] == "#cloud-config"


def test_a_private_network_is_plugged_in_after_the_server_was_started(hetzner: Hetzner) -> None:
    """B028: cloud-init may run before the second interface is there."""
    network, subnet = hetzner.network()
    made = hetzner.server(networks=[{"subnetId": subnet.id, "ip": "10.0.1.11", "aliasIps": []}])
    assert hetzner.servers.calls == [("create", made.id), ("attach_network", made.id, "10.0.1.11")]
    assert made.outputs["networks"][0]["ip"] == "10.0.1.11"
    assert [each.network for each in hetzner.project.attachments] == [network.id]


def test_a_server_without_a_public_side_starts_once_it_has_a_private_one(hetzner: Hetzner) -> None:
    _, subnet = hetzner.network()
    nowhere = [{"ipv4Enabled": False, "ipv6Enabled": False}]
    made = hetzner.server(networks=[{"subnetId": subnet.id}], publicNets=nowhere)
    assert [call[0] for call in hetzner.servers.calls] == ["create", "attach_network", "power_on"]
    assert not hetzner.servers.orders[made.id].start
    assert made.outputs["ipv4Address"] is None


def test_a_late_network_is_a_resource_of_its_own(hetzner: Hetzner) -> None:
    network, subnet = hetzner.network()
    made = hetzner.server()
    late = hetzner.make("ServerNetwork", serverId=int(made.id), subnetId=subnet.id, ip="10.0.1.12")
    assert late.id == f"{made.id}-{network.id}"
    assert hetzner.servers.calls[-1] == ("attach_network", made.id, "10.0.1.12")
    hetzner.delete("ServerNetwork", late)
    assert hetzner.servers.calls[-1] == ("detach_network", made.id, network.id)


def test_a_change_of_user_data_image_location_or_keys_makes_a_new_server(hetzner: Hetzner) -> None:
    """B025: and the old one goes first, because the name that the program chose cannot be there twice (B043)."""
    inputs, _ = hetzner.checked("Server", **server(userData="one", sshKeys=["admin"]))
    for name, value in (("userData", "two"), ("image", "debian-13"), ("location", "hel1"), ("sshKeys", ["other"])):
        found = compare(hetzner.type("Server"), inputs, {**inputs, name: value})
        assert found.replaces == frozenset({name})
        assert found.deletes_first, name


def test_a_change_of_type_labels_firewalls_or_networks_keeps_the_server(hetzner: Hetzner) -> None:
    inputs, _ = hetzner.checked("Server", **server())
    changes: dict[str, Any] = {"serverType": "cx53", "labels": {"a": "b"}, "firewallIds": [1], "networks": []}
    assert compare(hetzner.type("Server"), inputs, {**inputs, **changes}).replaces == frozenset()


def test_another_type_is_a_restart_of_the_same_server(hetzner: Hetzner) -> None:
    made = hetzner.server()
    changed = hetzner.change("Server", made, serverType="cx53")
    assert [call[0] for call in hetzner.servers.calls] == ["create", "power_off", "power_on"]
    assert (changed.id, changed.outputs["serverType"]) == (made.id, "cx53")


def test_a_changed_rule_reaches_every_server_of_the_firewall(hetzner: Hetzner) -> None:
    firewall = hetzner.make("Firewall", name="in", rules=[RULE])
    made = hetzner.server(firewallIds=[int(firewall.id)])
    hetzner.change("Firewall", firewall, rules=[])
    assert hetzner.servers.rules[made.id] == (), "a firewall without rules lets nothing in"
    changed = hetzner.change("Server", made, firewallIds=[])
    assert hetzner.servers.rules[made.id] is None, "no firewall lets everything in"
    assert changed.outputs["firewallIds"] == []


def test_a_firewall_applies_by_label_too(hetzner: Hetzner) -> None:
    hetzner.make("Firewall", name="in", rules=[], applyTos=[{"labelSelector": "role=server"}])
    labelled, other = hetzner.server(labels={"role": "server"}), hetzner.server("rakazo-2")
    assert (hetzner.servers.rules[labelled.id], hetzner.servers.rules[other.id]) == ((), None)


def test_a_changed_label_is_drift_and_what_the_cloud_adds_is_not(hetzner: Hetzner) -> None:
    _, subnet = hetzner.network()
    made = hetzner.server(networks=[{"subnetId": subnet.id}], labels={"a": "b"})
    found = hetzner.read("Server", made)
    assert found is not None
    assert compare(hetzner.type("Server"), made.inputs, found.inputs).changes == {}
    hetzner.project.all("server")[made.id]["labels"] = {"a": "changed"}
    found = hetzner.read("Server", made)
    assert found is not None
    assert compare(hetzner.type("Server"), made.inputs, found.inputs).changes == {"labels.a": "UPDATE"}


def test_a_server_that_is_gone_is_read_as_gone(hetzner: Hetzner) -> None:
    made = hetzner.server()
    hetzner.delete("Server", made)
    assert hetzner.read("Server", made) is None
    assert hetzner.project.summary() == {}, "the addresses that came with it went with it"


class Unplugged(RecordingServers):
    """Fails to plug in, the first time."""

    def attach_network(self, server: str, interface: PrivateAddress) -> None:
        super().attach_network(server, interface)
        if len(self.calls) == 2:
            raise OSError("no such link")


def test_what_failed_while_a_server_was_made_is_done_by_the_next_deployment() -> None:
    hetzner = Hetzner(servers=Unplugged())
    _, subnet = hetzner.network()
    inputs, _ = hetzner.checked("Server", **server(networks=[{"subnetId": subnet.id}]))
    with pytest.raises(UnfinishedError, match=r"no such link \(server_error\)") as error:
        lifecycle.create(hetzner.type("Server"), inputs, CALL)
    old = Resource(id=error.value.resource_id, inputs=inputs, outputs=dict(error.value.outputs))
    outputs = lifecycle.update(hetzner.type("Server"), old, inputs, CALL)
    assert outputs["networks"][0]["ip"] == "10.0.1.1"
    assert [call[0] for call in hetzner.servers.calls] == ["create", "attach_network", "attach_network"]


class Slow(RecordingServers):
    """Boots one machine only when a second one boots too."""

    def __init__(self) -> None:
        super().__init__()
        self._both = threading.Barrier(2, timeout=10)

    def create(self, order: Any) -> None:
        self._both.wait()
        super().create(order)


def test_servers_boot_beside_each_other() -> None:
    hetzner = Hetzner(servers=Slow())
    threads = [threading.Thread(target=hetzner.server, args=(f"rakazo-{number}",)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hetzner.project.summary()["server"] == ["rakazo-1", "rakazo-2"]


@pytest.mark.parametrize(
    ("inputs", "path"),
    [
        ({"networks": [{"ip": "10.0.1.1"}]}, "networks[0]"),
        ({"networks": [{"subnetId": "7-10.0.1.0/24", "ip": "10.0.2.1"}]}, "networks[0]"),
        ({"networks": [{"subnetId": "ten"}]}, "networks[0].ip"),
        ({"labels": {"rakazo.example/role": "a b"}}, 'labels["rakazo.example/role"]'),
        ({"datacenter": "fsn1-dc14"}, "datacenter"),
        ({"deleteProtection": True}, "rebuildProtection"),
    ],
)
def test_what_makes_no_sense_fails_in_preview(hetzner: Hetzner, inputs: dict[str, Any], path: str) -> None:
    """B031 and the checks of the real provider, before anything is made."""
    assert [where for where, _ in hetzner.failures("Server", **server(**inputs))] == [path]


def test_a_running_server_does_not_leave_its_placement_group(hetzner: Hetzner) -> None:
    """B032: the provider refuses to move a running server."""
    group = hetzner.make("PlacementGroup", name="spread", type="spread")
    made = hetzner.server(placementGroupId=int(group.id))
    other = hetzner.make("PlacementGroup", name="other", type="spread")
    with pytest.raises(RefusedError, match="removing a running server from a placement group"):
        hetzner.change("Server", made, placementGroupId=int(other.id))
