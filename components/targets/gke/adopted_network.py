"""A network that is there already: whether it is as the stack file says."""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
import pulumi_gcp as gcp

from stacks.target import GkeTarget
from stacks.target.gke_network import ExistingNetwork


@dataclass(frozen=True, kw_only=True)
class Found:
    """What Google says of a subnetwork."""

    network: str
    """Name of the network that it belongs to."""
    nodes: str
    """Its primary range."""
    secondary: Mapping[str, str]
    """Name to range of its secondary ranges."""


def faults_of(settings: GkeTarget, existing: ExistingNetwork, found: Found) -> list[str]:
    """Say where the stack file and the network differ; policies would keep computers away from the wrong addresses."""
    ranges, where = settings.network, f"subnetwork {existing.subnetwork}"
    faults = []
    if found.network != existing.network:
        faults.append(
            f"existing.network: {where} belongs to the network {found.network}; write network: {found.network}"
        )
    if found.nodes != ranges.nodes:
        faults.append(f"nodes: {where} has {found.nodes}; write nodes: {found.nodes}")
    for key, name, written in (
        ("pods", existing.pods_range, ranges.pods),
        ("services", existing.services_range, ranges.services),
    ):
        there = found.secondary.get(name)
        if there is None:
            known = ", ".join(sorted(found.secondary)) or "none"
            faults.append(f"existing.{key}_range: {where} has no secondary range of that name; it has {known}")
        elif there != written:
            faults.append(f"{key}: the range {name} of {where} is {there}; write {key}: {there}")
    return [f"settings.target.network.{fault}" for fault in faults]


def look_up(settings: GkeTarget, existing: ExistingNetwork, provider: gcp.Provider) -> pulumi.Output[str]:
    """Return the subnetwork's path in Google's API; the preview fails when it is not as the stack file says."""
    asked = gcp.compute.get_subnetwork_output(
        name=existing.subnetwork,
        region=settings.region,
        project=settings.project,
        opts=pulumi.InvokeOutputOptions(provider=provider),
    )

    def judged(answer: gcp.compute.GetSubnetworkResult) -> str:
        found = Found(
            network=answer.network.rpartition("/")[2],
            nodes=answer.ip_cidr_range,
            secondary={each.range_name: each.ip_cidr_range for each in answer.secondary_ip_ranges},
        )
        faults = faults_of(settings, existing, found)
        if faults:
            raise pulumi.RunError("\n  ".join(faults))
        return f"projects/{settings.project}/regions/{settings.region}/subnetworks/{existing.subnetwork}"

    return asked.apply(judged)
