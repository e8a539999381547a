"""What a stack may say about a cluster at DigitalOcean, as far as that is known without asking DigitalOcean."""

from typing import Any

import pytest

from stacks.load import read_settings
from stacks.target.digitalocean_region import REGIONS
from tests.unit.stacks.digitalocean_stack import accepted, document, refusals, target


@pytest.mark.parametrize("name", ["nyc2", "sfo1", "ams2"])
def test_a_region_without_new_clusters_is_answered_with_the_ones_that_have_them(name: str) -> None:
    """B099."""
    (fault,) = refusals(region=name)
    assert fault.startswith("target.region is a region in which DigitalOcean makes no new clusters; write one of ams3")


def test_an_unknown_region_is_answered_with_the_known_ones() -> None:
    """B099."""
    assert refusals(region="eu-west-1") == [
        f"target.region is no region of DigitalOcean; write one of {', '.join(REGIONS)}"
    ]


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("s-1vcpu-1gb", "is too small for a node of a cluster"),
        ("s-1vcpu-512mb-10gb", "is too small for a node of a cluster"),
        ("gpu-h100x1-80gb", "is a Droplet with a GPU"),
        ("cx43", "is no size of a Droplet"),
        ("m7i.large", "is no size of a Droplet"),
    ],
)
def test_a_size_that_is_never_a_node_is_refused(size: str, told: str) -> None:
    """B099: before anybody is asked."""
    (fault,) = refusals(computers__size=size)
    assert fault.startswith(f"target.computers.size {told}")


@pytest.mark.parametrize("size", ["s-1vcpu-2gb", "s-8vcpu-16gb-amd", "g-8vcpu-32gb", "c-8", "so1_5-2vcpu-16gb"])
def test_sizes_that_may_be_there_are_left_to_digitalocean(size: str) -> None:
    assert target(computers__size=size).computers.size == size


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"network__pods": "10.124.0.0/16"}, "target: vpc.range and network.pods overlap"),
        ({"network__services": "10.124.8.0/22"}, "target: vpc.range and network.services overlap"),
        ({"network__services": "10.112.0.0/19"}, "target.network: pods and services overlap"),
        ({"vpc__range": "10.244.0.0/20"}, "target: vpc.range overlaps 10.244.0.0/16"),
        (
            {"vpc__range": "10.19.16.0/20"},
            "target: vpc.range overlaps 10.19.0.0/16, which DigitalOcean keeps for itself in fra1",
        ),
        ({"network__pods": "10.244.0.0/16"}, "target: network.pods overlaps 10.244.0.0/16"),
        ({"network__pods": "100.64.0.0/16"}, "target.network.pods lies outside 10.0.0.0/8"),
        ({"network__services": "34.118.224.0/20"}, "target.network.services lies outside 10.0.0.0/8"),
        ({"network__pods": "10.112.0.0/22"}, "target.network.pods must be between /16 and /20"),
        ({"vpc__range": "10.124.0.0/25"}, "target.vpc.range must be between /16 and /24"),
        ({"vpc__range": "10.0.0.0/8"}, "target.vpc.range must be between /16 and /24"),
        ({"network__pods": "10.112.0.0/20", "computers": {"maximum": 40}}, "target: there may be 42 nodes"),
        ({"vpc__id": "default"}, "target.vpc.id"),
    ],
)
def test_ranges_that_cannot_be_are_refused(changes: dict[str, Any], told: str) -> None:
    (fault,) = refusals(**changes)
    assert fault.startswith(told)


def test_what_is_reserved_elsewhere_is_free_here() -> None:
    assert target(region="ams3", vpc__range="10.19.16.0/20").region == "ams3"


def test_an_empty_list_of_administrators_is_nobody_and_is_told() -> None:
    """B038: and never everybody."""
    assert target(admin_cidrs=[]).admin_cidrs == ()
    assert any("admin_cidrs is empty" in warning for warning in accepted(admin_cidrs=[]).warnings())


@pytest.mark.parametrize("everybody", ["0.0.0.0/0", "::/0", "0.0.0.0/1"])
def test_the_api_is_open_to_nobody_whom_the_settings_do_not_name(everybody: str) -> None:
    """B040."""
    (fault,) = refusals(admin_cidrs=[everybody])
    assert fault.startswith("target.admin_cidrs[0] is ")


def test_high_availability_is_off_unless_it_is_asked_for_and_its_price_is_told() -> None:
    """B097."""
    assert target(ha=None).ha is False
    assert not any("$40" in warning for warning in accepted().warnings())
    assert any("$40 a month" in warning for warning in accepted(ha=True).warnings())


def test_what_becomes_of_the_volumes_has_to_be_said() -> None:
    """B096: there is no right default for somebody else's data."""
    (fault,) = refusals(destroy_all_associated_resources=None)
    assert fault.startswith("target.destroy_all_associated_resources")


def test_the_default_pool_has_no_setting() -> None:
    """B095: what cannot be said cannot be changed."""
    assert len(refusals(node_pool={"size": "s-4vcpu-8gb"})) == 1


def test_a_pool_of_computers_is_never_empty() -> None:
    """A node that is not there has no label, so the autoscaler would never add it for a pod that asks for one."""
    (fault,) = refusals(computers={"minimum": 0, "maximum": 3})
    assert fault.startswith("target.computers: minimum is 0: computers go where gVisor has proven itself")


def test_a_minimum_above_the_maximum_is_refused() -> None:
    (fault,) = refusals(computers={"minimum": 4, "maximum": 3})
    assert fault.startswith("target.computers: minimum is 4 and maximum 3")


@pytest.mark.parametrize("time", ["4:00", "24:00", "04:00:00", 840])
def test_the_window_begins_at_a_time(time: Any) -> None:
    (fault,) = refusals(maintenance={"day": "sunday", "start_time": time})
    assert fault.startswith("target.maintenance.start_time")


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"size": 49}, "target.nfs.size"), ({"performance_tier": "low"}, "target.nfs.performance_tier")],
)
def test_a_share_is_as_digitalocean_sells_it(changes: dict[str, Any], told: str) -> None:
    (fault,) = refusals(nfs=changes)
    assert fault.startswith(told)


def test_a_share_has_room_for_the_files() -> None:
    settings = document(nfs={"size": 50})
    settings["application"]["data_volume"] = "60Gi"
    faults = read_settings(settings)
    assert isinstance(faults, list)
    assert any("60Gi is more than target.nfs.size, which is 50 GiB" in fault for fault in faults)


def test_kata_is_refused_with_what_to_do_instead() -> None:
    """B053: no virtualization inside a Droplet is promised."""
    settings = document()
    settings["runtime"] = {"kind": "kata"}
    faults = read_settings(settings)
    assert isinstance(faults, list)
    assert any("runtime.kind: kata needs virtualization" in fault and "gvisor" in fault for fault in faults)


def test_an_unprotected_cluster_is_told() -> None:
    assert any("protect is false" in warning for warning in accepted(protect=False).warnings())
