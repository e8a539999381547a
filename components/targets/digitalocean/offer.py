"""What DigitalOcean offers of what the settings ask for, compared at preview."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_network

from components.targets.digitalocean.existing import ExistingCluster
from stacks.target import DigitalOceanTarget

SMALLEST_MIB = 2048
"""Memory of the smallest Droplet that can be a node."""


@dataclass(frozen=True, kw_only=True)
class Size:
    """One size of Droplets."""

    available: bool
    memory_mib: int
    regions: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Vpc:
    """A VPC that exists."""

    region: str
    range: str


def refused_size(key: str, wanted: str, region: str, offered: Mapping[str, Size]) -> str | None:
    """Say why nodes of a size cannot be had in a region, with some that can, or None."""
    size = offered.get(wanted)
    if size is not None and size.available and region in size.regions and size.memory_mib >= SMALLEST_MIB:
        return None
    fitting = sorted(
        (size.memory_mib, slug)
        for slug, size in offered.items()
        if size.available and region in size.regions and size.memory_mib >= SMALLEST_MIB
    )
    known = ", ".join(slug for _, slug in fitting[:12]) or "none"
    if size is None:
        why = "which DigitalOcean does not have"
    elif size.memory_mib < SMALLEST_MIB:
        why = "which is too small for a node of a cluster"
    else:
        why = f"which is not to be had in {region} now"
    return f"settings.target.{key}.size is {wanted}, {why}; there are in {region}: {known}"


def refused_vpc(target: DigitalOceanTarget, found: Vpc) -> str | None:
    """Say why a VPC that exists cannot be the nodes' network, or None."""
    if found.region != target.region:
        return (
            f"settings.target.vpc.id is a VPC in {found.region}, and the cluster is to be in {target.region}; write "
            f"region: {found.region}, or the id of a VPC there"
        )
    if ip_network(found.range) != ip_network(target.vpc.range):
        return (
            f"settings.target.vpc.range is {target.vpc.range}, and the VPC has {found.range}: policies would name "
            f"addresses that nodes do not have; write range: {found.range}"
        )
    return None


def refused_changes(target: DigitalOceanTarget, existing: ExistingCluster | None) -> Iterator[str]:
    """Yield what a cluster that exists can no longer become."""
    if existing is not None and existing.ha and not target.ha:
        yield (
            "settings.target.ha is false, and the cluster's control plane is highly available: that can never be "
            "switched off; write ha: true, or make another cluster"
        )
