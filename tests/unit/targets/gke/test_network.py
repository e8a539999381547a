"""The network of a cluster at Google: its own, or one that is there; and what policies are told of it."""

import pulumi
import pytest

from components.targets.gke.cluster import GkeCluster, GkeClusterArgs
from tests.unit.clouds import gke
from tests.unit.graph import named
from tests.unit.outputs import API_SERVER
from tests.unit.recorder import Recorder, record
from tests.unit.stacks.gke_stack import target
from tests.unit.targets.gke.example import GVISOR, cluster, committed, made

EXISTING = {
    "network": "team",
    "subnetwork": "team-nodes",
    "pods_range": "team-pods",
    "services_range": "team-services",
    "nat": True,
}


def adopted(answers: gke.Answers | None = None, *, nat: bool = True) -> Recorder:
    return made(answers, network__existing={**EXISTING, "nat": nat})[0]


def test_every_range_is_the_stacks_own_choice() -> None:
    """B072: also the Services', which Google would put outside of every private range."""
    assert named(committed(), "cluster-vpc-network").inputs["autoCreateSubnetworks"] is False
    nodes = named(committed(), "cluster-vpc-nodes").inputs
    assert nodes["ipCidrRange"] == "10.0.0.0/22"
    assert nodes["secondaryIpRanges"] == [
        {"rangeName": "pods", "ipCidrRange": "10.4.0.0/16"},
        {"rangeName": "services", "ipCidrRange": "10.8.0.0/20"},
    ]
    assert cluster(committed()).inputs["ipAllocationPolicy"] == {
        "clusterSecondaryRangeName": "pods",
        "servicesSecondaryRangeName": "services",
        "stackType": "IPV4",
    }


def test_policies_are_told_of_every_range() -> None:
    """B071, B072: the control plane has a range of its own, and is no node."""
    network = made()[1].network
    assert network.pods == ("10.4.0.0/16",)
    assert network.services == ("10.8.0.0/20",)
    assert network.nodes == ("10.0.0.0/22",)
    assert network.api_servers == ("10.0.4.0/28:443",)
    assert named(committed(), "cluster-vpc-control-plane").inputs["ipCidrRange"] == "10.0.4.0/28"


def test_policies_are_told_where_the_control_plane_really_is() -> None:
    """B071: whatever Google made of the range."""
    found: list[tuple[str, ...]] = []

    def program() -> None:
        args = GkeClusterArgs(stack="team", settings=target(), runtime=GVISOR)
        GkeCluster("cluster", args).cluster.network.complete().apply(lambda known: found.append(known.api_servers))

    record(program, answers=gke.answers())
    assert found == [("10.0.4.0/28:443", f"{API_SERVER}:443")]


def test_the_way_out_is_for_the_clusters_machines_alone() -> None:
    """B093."""
    nat = named(committed(), "cluster-vpc-nat").inputs
    assert nat["sourceSubnetworkIpRangesToNat"] == "LIST_OF_SUBNETWORKS"
    assert nat["subnetworks"] == [{"name": "cluster-vpc-nodes-id", "sourceIpRangesToNats": ["ALL_IP_RANGES"]}]
    assert nat["enableDynamicPortAllocation"] is True
    assert nat["enableEndpointIndependentMapping"] is False, "Google refuses both together"


def test_a_network_that_is_there_is_used_and_not_made() -> None:
    recorded = adopted()
    assert recorded.of_kind("Network") == []
    assert [item.name for item in recorded.of_kind("Subnetwork")] == ["cluster-vpc-control-plane"]
    inputs = cluster(recorded).inputs
    assert inputs["network"] == "projects/my-project-1/global/networks/team"
    assert inputs["subnetwork"] == "projects/my-project-1/regions/europe-west3/subnetworks/team-nodes"
    assert inputs["ipAllocationPolicy"]["clusterSecondaryRangeName"] == "team-pods"
    assert len(recorded.of_kind("RouterNat")) == 1


def test_a_network_that_has_a_way_out_gets_no_second_one() -> None:
    """B093: Google refuses two of them for one subnetwork."""
    assert adopted(nat=False).of_kind("RouterNat") == []
    assert adopted(nat=False).of_kind("Router") == []


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (gke.answers(nodes="10.9.0.0/22"), "nodes: subnetwork team-nodes has 10.9.0.0/22; write nodes: 10.9.0.0/22"),
        (gke.answers(network="other"), "existing.network: subnetwork team-nodes belongs to the network other"),
        (
            gke.answers(ranges={"team-pods": "10.5.0.0/16", "team-services": "10.8.0.0/20"}),
            "pods: the range team-pods of subnetwork team-nodes is 10.5.0.0/16; write pods: 10.5.0.0/16",
        ),
        (
            gke.answers(ranges={"team-pods": "10.4.0.0/16"}),
            "existing.services_range: subnetwork team-nodes has no secondary range of that name; it has team-pods",
        ),
    ],
)
def test_a_network_that_is_otherwise_than_written_is_refused_at_preview(answers: gke.Answers, says: str) -> None:
    """B072: policies would keep computers away from the wrong addresses."""
    with pytest.raises(pulumi.RunError) as refusal:
        adopted(answers)
    assert f"settings.target.network.{says}" in str(refusal.value)


def test_everything_goes_through_the_stacks_own_provider_and_project() -> None:
    """B004: not to whatever project the operator's shell has."""
    (provider,) = [item for item in committed().seen if item.typ == "pulumi:providers:gcp"]
    assert provider.inputs["project"] == "my-project-1"
    ours = [item for item in committed().seen if item.typ.startswith("gcp:")]
    assert len(ours) == 10
    assert [item.name for item in ours if not item.provider.startswith(provider.urn)] == []


def test_another_stack_in_the_project_shares_no_name() -> None:
    """B037: a name that two stacks share is taken over by one of them, and deleted with it."""

    def taken(stack: str) -> set[tuple[str, str]]:
        recorded = made(stack=stack)[0]
        return {
            (item.kind, item.inputs[key])
            for item in recorded.seen
            if item.typ.startswith("gcp:") and item.kind != "NodePool"
            for key in ("name", "accountId")
            if key in item.inputs
        }

    assert len(taken("dev")) == 7
    assert taken("dev") & taken("team") == set()
