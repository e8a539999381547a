"""What a stack may say about rented servers, as far as that is known without asking Hetzner."""

from typing import Any

import pytest

from stacks.target.snapshots import UNSET
from tests.unit.stacks import committed
from tests.unit.stacks.hetzner_stack import accepted, refusals, target


@pytest.mark.parametrize(
    ("location", "zone"),
    [
        ("fsn1", "eu-central"),
        ("nbg1", "eu-central"),
        ("hel1", "eu-central"),
        ("ash", "us-east"),
        ("hil", "us-west"),
        ("sin", "ap-southeast"),
    ],
)
def test_the_network_zone_follows_from_the_location(location: str, zone: str) -> None:
    """B029: a subnet of another zone takes no server."""
    assert target(locations=[location], servers={"type": "ccx33"}).zone == zone


def test_locations_of_several_zones_are_refused_with_their_zones() -> None:
    """B029: a private network lies in one."""
    (fault,) = refusals(locations=["fsn1", "ash"])
    assert fault.startswith("target.locations lie in several network zones")
    assert "fsn1 (eu-central), ash (us-east)" in fault


def test_an_unknown_location_is_answered_with_the_known_ones() -> None:
    """B029."""
    assert refusals(locations=["fra1"]) == [
        "target.locations[0] is no location of Hetzner Cloud; write one of fsn1, nbg1, hel1, ash, hil, sin"
    ]


@pytest.mark.parametrize("name", ["fsn1-dc14", "ash-dc1"])
def test_a_data_centre_is_answered_with_its_location(name: str) -> None:
    """B031: Hetzner no longer takes them."""
    (fault,) = refusals(locations=[name])
    assert fault.endswith(f"which Hetzner no longer takes since 1 July 2026; write {name.partition('-')[0]}")


def test_a_stack_without_a_location_is_told_so() -> None:
    (fault,) = refusals(locations=[])
    assert fault.startswith("target.locations has too few entries")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cx22", "is retired and can no longer be ordered; write cx23"),
        ("cx32", "is retired and can no longer be ordered; write cx33"),
        ("cx41", "is retired and can no longer be ordered; write cx43"),
        ("cax31", "is an Arm server, and the programs and images of a stack are for x86-64"),
        ("cx", "is no server type of Hetzner Cloud"),
        ("m7i.large", "is no server type of Hetzner Cloud"),
    ],
)
def test_a_type_that_cannot_be_used_is_refused(name: str, told: str) -> None:
    """B030: before anything is created, with what to write."""
    (fault,) = refusals(servers={"type": name})
    assert fault.startswith(f"target.servers.type {told}")


@pytest.mark.parametrize("location", ["ash", "hil", "sin"])
def test_intel_is_sold_in_europe_only(location: str) -> None:
    """B030: known without asking."""
    (fault,) = refusals(locations=[location], computers={"type": "cx43"}, servers={"type": "ccx13"})
    assert fault.startswith("target: computers.type: cx43 is sold in Europe only")


@pytest.mark.parametrize("count", [2, 4, 6])
def test_servers_come_in_numbers_that_can_decide(count: int) -> None:
    """B041."""
    (fault,) = refusals(servers={"count": count})
    assert fault.startswith(f"target: servers.count: there are {'two' if count == 2 else count} servers")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"network__pods": "10.0.0.0/16"}, "target: network.pods and private.range overlap"),
        ({"network__services": "10.0.128.0/20"}, "target: network.services and private.range overlap"),
        ({"private": {"range": "10.40.0.0/13"}}, "target.private: subnet lies outside range"),
        ({"private": {"range": "10.0.0.0/8"}}, "target: network.pods and private.range overlap"),
        ({"private": {"range": "100.64.0.0/16"}}, "target.private.range lies outside 10.0.0.0/8"),
        ({"private": {"subnet": "10.0.1.0/25"}}, "target.private.subnet is smaller than /24"),
        ({"private": {"subnet": "10.1.0.0/24"}}, "target.private: subnet lies outside range"),
        ({"private": {"range": "fd00::/48"}}, "target.private.range lies outside 10.0.0.0/8"),
    ],
)
def test_ranges_that_collide_are_refused(changes: dict[str, Any], told: str) -> None:
    """B043: an address would be both a machine's and a pod's."""
    (fault,) = refusals(**changes)
    assert fault.startswith(told)


def test_the_most_machines_that_fit_have_addresses_of_their_own() -> None:
    """B043: pools have a part each, with room for all that may be written."""
    made = target(servers={"count": 5}, computers={"count": 100}).machines
    addresses = [machine.private_address for machine in made]
    assert len(set(addresses)) == 105
    assert addresses[0] == "10.0.1.11"
    assert addresses[5] == "10.0.1.101"
    assert addresses[-1] == "10.0.1.200"
    (fault,) = refusals(computers={"count": 101})
    assert fault == "target.computers.count must be at most 100; write count: 100"


@pytest.mark.parametrize(("count", "groups"), [(1, 1), (10, 1), (11, 2), (20, 2), (21, 3)])
def test_ten_servers_share_a_placement_group_and_the_next_begins_another(count: int, groups: int) -> None:
    """B032: Hetzner refuses the eleventh."""
    made = target(computers={"count": count}).machines
    assert len({machine.group for machine in made if machine.role == "agent"}) == groups


def test_more_machines_move_none_that_is_there() -> None:
    """B032: neither to another group nor to another address, nor is one called otherwise."""
    ten, eleven = (target(computers={"count": count}).machines for count in (10, 11))
    assert eleven[: len(ten)] == ten


def test_a_machine_that_is_rebuilt_is_one_that_exists() -> None:
    """B025: the only way to a new server, machine by machine."""
    assert [machine.generation for machine in target(rebuild={"server-1": 2}).machines] == [2]
    (fault,) = refusals(rebuild={"server-2": 1})
    assert fault == "target: rebuild: there is no machine server-2; there are server-1"


def test_gvisors_kvm_is_refused_for_the_same_reason() -> None:
    """B053."""
    (fault,) = refusals(gvisor__platform="kvm")
    assert "gvisor.platform: kvm needs /dev/kvm, which no server of Hetzner Cloud has" in fault


@pytest.mark.parametrize("everybody", ["0.0.0.0/0", "::/0"])
def test_everybody_is_refused(everybody: str) -> None:
    """B038."""
    (fault,) = refusals(admin_cidrs=[everybody])
    assert fault.startswith("target.admin_cidrs[0] is everybody")


def test_what_is_dangerous_and_allowed_is_told() -> None:
    told = " ".join(accepted(admin_cidrs=[], protect=False).warnings())
    assert "settings.target.computers is unset" in told
    assert "settings.target.admin_cidrs is empty" in told
    assert "settings.target.protect is false" in told
    assert list(committed.accepted("hetzner-ha").warnings()) == [UNSET]


@pytest.mark.parametrize("image", ["rocky-9", "debian", "12345", "debian-12; reboot"])
def test_an_image_that_nobody_tried_is_refused(image: str) -> None:
    (fault,) = refusals(image=image)
    assert fault.startswith("target.image must match")
