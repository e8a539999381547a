"""What a stack may say about a cluster at Google, as far as that is known without asking Google."""

from typing import Any

import pytest

from stacks import pair as pairs
from stacks.load import read_settings
from stacks.pair import Pair
from stacks.target.gke_location import is_zone, region_of
from tests.unit.stacks.gke_stack import accepted, document, refusals, target


def told(**changes: Any) -> str:
    """Return the one fault after the changes."""
    (fault,) = refusals(**changes)
    return fault


@pytest.mark.parametrize(
    ("location", "region", "zonal"),
    [
        ("europe-west3-a", "europe-west3", True),
        ("northamerica-northeast1-c", "northamerica-northeast1", True),
        ("me-central2", "me-central2", False),
    ],
)
def test_a_location_is_a_zone_or_a_region(location: str, region: str, zonal: bool) -> None:
    assert (region_of(location), is_zone(location)) == (region, zonal)
    assert target(location=location).region == region


@pytest.mark.parametrize("location", ["europe-west3-1", "fsn1", "europe", "eu-west-1a", ""])
def test_another_clouds_location_is_refused_with_one_of_googles(location: str) -> None:
    assert told(location=location).startswith("target.location is neither a zone nor a region of Google Cloud; write")


@pytest.mark.parametrize("project", ["123456789012", "My Project", "short", "a" * 31])
def test_a_project_is_named_by_its_id(project: str) -> None:
    """B004: a name or number would be somebody else's, or nobody's."""
    assert told(project=project).startswith("target.project is no project id")


@pytest.mark.parametrize("pool", ["system", "computers"])
@pytest.mark.parametrize(
    ("machine", "says"),
    [
        ("e2-medium", "has only a part of a core"),
        ("f1-micro", "has only a part of a core"),
        ("m7i.2xlarge", "is no machine type of Google"),
        ("cx43", "is no machine type of Google"),
    ],
)
def test_a_machine_type_that_cannot_be_used_is_refused(pool: str, machine: str, says: str) -> None:
    assert told(**{f"{pool}__machine_type": machine}).startswith(f"target.{pool}.machine_type {says}")


def test_an_arm_machine_is_refused_in_both_pools() -> None:
    """Images of a stack are for x86-64."""
    assert "Arm processor" in told(system__machine_type="c4a-standard-4")
    assert "Arm processor" in told(computers__machine_type="t2a-standard-8")


@pytest.mark.parametrize(
    ("machine", "refused"), [("e2-standard-8", True), ("n2d-standard-8", True), ("n2-standard-8", False)]
)
def test_kata_is_refused_where_google_has_no_virtualization_in_machines(machine: str, refused: bool) -> None:
    """B053: every computer would fail to start."""
    judged = target(computers__machine_type=machine)
    pair = Pair(target="gke", runtime="kata", kubernetes_version=(1, 36), machine=judged.computers_machine)
    told = "; ".join(pairs.refused(pair))
    assert ("Write a type such as n2-standard-8" in told) is refused, told


def test_computers_may_all_be_gone_and_come_back() -> None:
    assert target(computers__minimum=0).computers.minimum == 0
    assert "minimum is 4 and maximum 3" in told(computers__minimum=4)
    assert told(computers__minimum=-1) == "target.computers.minimum must be at least 0; write minimum: 0"


def test_a_region_has_room_for_the_machine_with_which_each_zone_begins() -> None:
    """The number in the beginning is per zone, and the most is for all of them."""
    fault = told(location="europe-west3", computers__maximum=2)
    assert "computers.maximum: is 2, and the pool begins with a machine in each of the 3 zones of europe-west3" in fault
    assert "write maximum: 3" in fault
    assert target(location="europe-west3", computers__maximum=3).computers.maximum == 3
    assert target(computers__maximum=1).computers.maximum == 1


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("services", "34.118.224.0/20", "lies outside 10.0.0.0/8"),
        ("pods", "100.64.0.0/14", "lies outside 10.0.0.0/8"),
        ("nodes", "fd00::/64", "lies outside 10.0.0.0/8"),
        ("pods", "10.4.0.0/22", "must be between /9 and /21"),
        ("services", "10.8.0.0/28", "must be between /16 and /27"),
        ("nodes", "10.0.0.0/30", "must be between /8 and /29"),
        ("control_plane", "10.0.4.0/24", "must be /28"),
    ],
)
def test_a_range_that_google_or_a_policy_cannot_use_is_refused(key: str, text: str, says: str) -> None:
    """B072: GKE's own choice for Services is 34.118.224.0/20, which a policy takes for the internet."""
    assert told(**{f"network__{key}": text}).startswith(f"target.network.{key} {says}")


def test_services_have_a_private_range_without_being_told() -> None:
    """B072: the stack always writes one."""
    assert target().network.services == "10.8.0.0/20"


@pytest.mark.parametrize(
    "changes",
    [
        {"network__pods": "10.0.0.0/16"},
        {"network__services": "10.4.16.0/20"},
        {"network__control_plane": "10.0.3.0/28"},
        {"network__nodes": "10.8.0.0/24"},
    ],
)
def test_ranges_that_overlap_are_refused_with_four_that_do_not(changes: dict[str, Any]) -> None:
    assert "overlap, and an address would be both; write the defaults: nodes: 10.0.0.0/22" in told(**changes)


def test_every_node_that_may_come_has_room_for_its_pods() -> None:
    """Google would stop adding machines without a word."""
    assert target(network__pods="10.4.0.0/21").network.most_nodes == 8
    assert "there may be 9 nodes while pools are upgraded, and network.pods has room for 8" in told(
        network__pods="10.4.0.0/21", computers__maximum=6
    )
    assert "there may be 11 nodes" in told(network__pods="10.4.0.0/21", computers__maximum=6, location="europe-west3")


def test_nobody_is_let_in_by_address_unless_the_file_says_so() -> None:
    """B038: an empty list is nobody."""
    assert target(admin_cidrs=None).admin_cidrs == ()
    assert told(admin_cidrs=["0.0.0.0/0"]).startswith("target.admin_cidrs[0] is everybody")
    assert "GKE's authorised networks are IPv4 alone" in told(admin_cidrs=["2001:db8::/48"])


def test_a_shared_volume_is_as_large_as_filestores_smallest() -> None:
    settings = document(shared_storage=True)
    settings["application"]["data_volume"] = "99Gi"
    faults = read_settings(settings)
    assert isinstance(faults, list)
    assert "application.data_volume: the smallest Filestore has 100Gi; write data_volume: 100Gi" in faults[0]
    settings["application"]["data_volume"] = "100Gi"
    assert not isinstance(read_settings(settings), list)


def test_what_is_dearer_or_unprotected_is_told_at_preview() -> None:
    """B003."""
    assert list(accepted().target.warnings()) == []
    (region,) = accepted(location="europe-west3").target.warnings()
    assert "there are 3 machines for the system, and no free credit pays for the control plane" in region
    (unprotected,) = accepted(protect=False).target.warnings()
    assert "settings.target.protect is false" in unprotected


@pytest.mark.parametrize("start", ["3:00", "24:00", "03:60"])
def test_the_maintenance_window_begins_at_an_hour_of_the_day(start: str) -> None:
    """B119."""
    assert told(maintenance_start=start).startswith("target.maintenance_start must match")


def test_a_field_of_gkes_own_runtime_class_is_refused() -> None:
    """B049: GKE Sandbox brings the class, and nobody else may change it."""
    (fault,) = refusals({"kind": "gvisor", "handler": "runsc"})
    assert "GKE Sandbox brings its own, called gvisor" in fault
