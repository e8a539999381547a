"""What a stack may say about machines that it reaches over SSH."""

from typing import Any

import pytest

from stacks.target.snapshots import UNSET
from tests.unit.stacks.server_stack import KEYS, accepted, machine, refusals, target


def test_the_committed_stack_is_told_of_its_snapshots_alone() -> None:
    assert list(accepted().warnings()) == [UNSET]


@pytest.mark.parametrize("count", [1, 3, 5])
def test_servers_come_in_numbers_that_can_decide(count: int) -> None:
    """B041: etcd decides by majority."""
    assert refusals(machines=[machine(number) for number in range(count)]) == []


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (2, "there are two servers, of which neither may fail: etcd decides by majority, and one of two is none."),
        (4, "there are 4 servers: etcd decides by majority"),
        (7, "there are 7 servers, at most 5 make sense"),
    ],
)
def test_other_numbers_are_refused_with_the_reason(count: int, told: str) -> None:
    """B041: two are worse than one."""
    (fault,) = refusals(machines=[machine(number) for number in range(count)])
    assert fault.startswith(f"target: machines: {told}")


def test_a_cluster_without_a_server_is_none() -> None:
    (fault,) = refusals(machines=[machine(1, role="agent")])
    assert "none is a server, and somebody has to run the Kubernetes API" in fault


def test_computers_need_a_machine() -> None:
    (fault,) = refusals(machines=[machine(1, pool="system")])
    assert fault == "target: machines: none is for computers; write pool: computers on an agent, or pool: all"


def test_a_server_is_no_place_for_computers_alone() -> None:
    (fault,) = refusals(machines=[machine(1, pool="computers")])
    assert fault.startswith("target.machines[0]: pool is computers on a server")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": "m1"}, "machines: two have the same name"),
        ({"address": "203.0.113.1"}, "machines: two have the same address"),
        ({"private_address": "10.0.1.1"}, "machines: two have the same address"),
        ({"host_key": KEYS[1]}, "machines: two have the same host_key"),
    ],
)
def test_machines_can_be_told_apart(changes: dict[str, Any], told: str) -> None:
    """B043: a copy of a line that was not finished."""
    (fault,) = refusals(machines=[machine(1), machine(2, role="agent", **changes)])
    assert fault.startswith(f"target: {told}")


@pytest.mark.parametrize("name", ["Rakazo-1", "rakazo.1", "1", "-a", "a" * 41, "rakazo_1", ""])
def test_a_name_that_no_node_can_have_is_refused(name: str) -> None:
    """B021, B034: it is the node's name."""
    (fault,) = refusals(machines=[machine(1, name=name)])
    assert fault.startswith("target.machines[0].name ")


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "169.254.1.1", "224.0.0.1", "2001:db8::1", "example.com"])  # noqa: S104
def test_an_address_that_no_machine_has_is_refused(address: str) -> None:
    (fault,) = refusals(machines=[machine(1, address=address)])
    assert fault.startswith("target.machines[0].address is ")


def test_machines_have_a_private_network_together_or_not_at_all() -> None:
    """B028: a node that is known by an address of another network is reached by nobody."""
    (fault,) = refusals(machines=[machine(1), machine(2, role="agent", private_address=None)])
    assert "some have a private_address and some have none" in fault
    assert refusals(machines=[machine(1, private_address=None), machine(2, role="agent", private_address=None)]) == []


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("address", "10.42.7.7", "10.42.7.7 lies in network.pods"),
        ("private_address", "10.43.0.9", "10.43.0.9 lies in network.services"),
    ],
)
def test_a_machine_inside_the_clusters_own_ranges_is_refused(key: str, value: str, told: str) -> None:
    (fault,) = refusals(machines=[machine(1, **{key: value})])
    assert fault.startswith(f"target: {told}")
    assert "write another range, such as" in fault


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("network__pods", "100.64.0.0/16", "target.network.pods lies outside 10.0.0.0/8"),
        ("network__pods", "10.0.0.0/8", "target.network.pods must be between /16, which is 256 nodes, and /24"),
        ("network__pods", "10.42.0.0/25", "target.network.pods must be between /16"),
        ("network__pods", "fd00:42::/56", "target.network.pods is IPv6"),
        ("network__pods", "10.42.0.1/16", "target.network.pods is not an address range"),
        ("network__services", "10.42.7.0/24", "target.network: pods and services overlap"),
        ("network__services", "10.0.0.0/8", "target.network.services must be between /12 and /24"),
        ("network__services", "10.43.0.0/28", "target.network.services must be between /12 and /24"),
        ("network__services", "fd00:43::/112", "target.network.services is IPv6"),
    ],
)
def test_ranges_that_do_not_work_are_refused(key: str, value: str, told: str) -> None:
    (fault,) = refusals(**{key: value})
    assert fault.startswith(told)


def test_ranges_have_room_for_every_machine() -> None:
    machines = [machine(1), machine(2, role="agent")]
    (fault,) = refusals(machines=machines, network__pods="10.42.0.0/24")
    assert "there are 2, and network.pods has room for 1" in fault


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDjBG9D9VN6kzVJfzE", "is a fingerprint, with which nobody can be checked"),
        ("ssh-ed25519 not-base64!", "is not a host key"),
        ("ssh-ed25519 " + "QUJD" * 10, "is not a host key"),
        ("203.0.113.1 ssh-ed25519 AAAA", "is not a host key"),
        ("ssh-dss AAAAB3NzaC1kc3M=", "is not a host key"),
        ("", "is not a host key"),
    ],
)
def test_what_is_no_host_key_is_refused(key: str, told: str) -> None:
    """Without one the connection would trust whoever answers."""
    (fault,) = refusals(machines=[machine(1, host_key=key)])
    assert fault.startswith(f"target.machines[0].host_key {told}")


def test_a_host_keys_comment_does_not_count() -> None:
    assert target(machines=[machine(1, host_key=f"{KEYS[1]} root@m1\n")]).machines[0].host_key == KEYS[1]


def test_a_machine_that_holds_everything_is_told_what_that_costs() -> None:
    _, warning = accepted(machines=[machine(1)]).warnings()
    assert warning.startswith("settings.target.machines: computers share m1 with Rakazo, its database and")
    assert "whoever breaks out of a sandbox has all of it" in warning


def test_a_pool_that_is_left_out_is_everything() -> None:
    assert target(machines=[machine(1, pool=None)]).machines[0].pool == "all"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"k3s__version": "v1.36.2"}, "target.k3s.version is not a release of k3s"),
        ({"k3s__version": "1.36.2+k3s1"}, "target.k3s.version is not a release of k3s"),
        ({"k3s__version": "latest"}, "target.k3s.version is not a release of k3s"),
        ({"k3s__version": "v1.29.9+k3s1"}, "target.k3s.version is older than 1.30"),
        ({"k3s__version": 1.36}, "target.k3s.version must be text; put it in quotes"),
        ({"k3s__sha256": "A" * 64}, "target.k3s.sha256 must match"),
        ({"k3s__mirror": "ftp://mirror.test"}, "target.k3s.mirror is not a base address"),
        ({"k3s__mirror": "https://user:pw@mirror.test"}, "target.k3s.mirror is not a base address"),
        ({"k3s__mirror": "https://mirror.test/k3s?x=1"}, "target.k3s.mirror is not a base address"),
        ({"gvisor__release": 20261116.0}, "target.gvisor.release must be text; put it in quotes"),
        ({"gvisor__release": "latest"}, "target.gvisor.release is not a release of gVisor"),
        ({"gvisor__release": "20260831.0"}, "target.gvisor.release is older than 20260907"),
        ({"gvisor__sha512": "b" * 64}, "target.gvisor.sha512 must match"),
        ({"gvisor__platform": "ptrace"}, "target.gvisor.platform must be systrap or kvm"),
        ({"ssh__user": "Root"}, "target.ssh.user must match"),
        ({"ssh__user": "root; reboot"}, "target.ssh.user must match"),
        ({"ssh__port": 0}, "target.ssh.port must be at least 1"),
    ],
)
def test_what_is_installed_is_named_exactly(changes: dict[str, Any], told: str) -> None:
    """B014: and YAML's numbers are no releases."""
    (fault,) = refusals(**changes)
    assert fault.startswith(told)


def test_a_mirror_holds_each_release_under_its_own_path() -> None:
    found = target(k3s__mirror="http://192.0.2.9:8080/", gvisor__mirror="https://mirror.test/gvisor/")
    assert found.k3s.url == "http://192.0.2.9:8080/v1.36.2%2Bk3s1/k3s"
    assert found.gvisor is not None
    assert found.gvisor.url == "https://mirror.test/gvisor/20261116.0/x86_64/gvisor.tar.bz2"


def test_the_kubernetes_version_follows_from_the_release() -> None:
    assert target(k3s__version="v1.35.10+k3s2").kubernetes_version == "1.35"
