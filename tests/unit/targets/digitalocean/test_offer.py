"""What DigitalOcean offers, compared with what is asked for, as pure functions."""

import pytest

from components.targets.digitalocean.existing import Credential, ExistingCluster
from components.targets.digitalocean.offer import Size, Vpc, refused_changes, refused_size, refused_vpc
from tests.unit.stacks.digitalocean_stack import target

SIZES = {
    "s-1vcpu-1gb": Size(available=True, memory_mib=1024, regions=frozenset({"fra1"})),
    "s-2vcpu-4gb": Size(available=True, memory_mib=4096, regions=frozenset({"fra1"})),
    "s-4vcpu-8gb": Size(available=True, memory_mib=8192, regions=frozenset({"ams3"})),
    "s-8vcpu-16gb": Size(available=False, memory_mib=16384, regions=frozenset({"fra1"})),
}


def existing(*, ha: bool) -> ExistingCluster:
    return ExistingCluster(
        version="1.36.2-do.0", ha=ha, credential=Credential(host="", authority="", token="", expires_at="")
    )


def test_a_size_that_is_there_is_taken() -> None:
    assert refused_size("computers", "s-2vcpu-4gb", "fra1", SIZES) is None


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("s-1vcpu-1gb", "which is too small for a node of a cluster"),
        ("s-4vcpu-8gb", "which is not to be had in fra1 now"),
        ("s-8vcpu-16gb", "which is not to be had in fra1 now"),
        ("m-2vcpu-16gb", "which DigitalOcean does not have"),
    ],
)
def test_a_size_that_is_not_is_answered_with_the_ones_that_are(wanted: str, why: str) -> None:
    """B099."""
    told = refused_size("computers", wanted, "fra1", SIZES)
    assert told == f"settings.target.computers.size is {wanted}, {why}; there are in fra1: s-2vcpu-4gb"


def test_a_region_without_any_size_says_so() -> None:
    """B099."""
    told = refused_size("system", "s-2vcpu-4gb", "nyc1", SIZES)
    assert told is not None
    assert told.endswith("there are in nyc1: none")


@pytest.mark.parametrize(
    ("is_ha", "wants_ha", "refused"), [(True, False, 1), (True, True, 0), (False, True, 0), (False, False, 0)]
)
def test_high_availability_is_never_taken_back(is_ha: bool, wants_ha: bool, refused: int) -> None:
    """B097."""
    faults = list(refused_changes(target(ha=wants_ha), existing(ha=is_ha)))
    assert len(faults) == refused
    assert all(fault.endswith("write ha: true, or make another cluster") for fault in faults)
    assert list(refused_changes(target(ha=wants_ha), None)) == []


def test_a_vpc_of_another_region_is_refused() -> None:
    told = refused_vpc(target(), Vpc(region="ams3", range="10.124.0.0/20"))
    assert told is not None
    assert "write region: ams3" in told


def test_a_vpc_with_other_addresses_is_refused() -> None:
    """Policies let nodes in by their range, and it would be the wrong one."""
    told = refused_vpc(target(), Vpc(region="fra1", range="10.99.0.0/20"))
    assert told is not None
    assert told.endswith("write range: 10.99.0.0/20")


def test_the_vpc_of_the_settings_is_taken() -> None:
    assert refused_vpc(target(), Vpc(region="fra1", range="10.124.0.0/20")) is None
