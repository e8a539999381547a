"""What the stand-in for gcp refuses, as Google does: networks, clusters, pools, and the order of their removal."""

from typing import Any

import pytest

from tests.providers.gcp import GcpPackage, GoogleProject
from tests.providers.refused import MissingConfigurationError, RefusedError
from tests.unit.providers.google import Google, cluster


def test_a_project_has_to_be_said() -> None:
    """B004."""
    package = GcpPackage(GoogleProject())
    with pytest.raises(MissingConfigurationError):
        package.configure({})
    with pytest.raises(RefusedError, match="Permission denied on project"):
        package.configure({"project": "somebody-elses"})
    package.configure({"project": "my-project-1"})


@pytest.mark.parametrize("name", ["a" * 41, "Team", "1team", "team-"])
def test_a_cluster_has_a_name_of_forty_characters_at_most(name: str) -> None:
    """B021."""
    google = Google()
    failures = google.checked("Cluster", **{**cluster("n", "s"), "name": name})[1]
    assert [each.path for each in failures] == ["name"]


@pytest.mark.parametrize("account", ["short", "a" * 31, "Nodes-of-team"])
def test_an_account_has_an_id_of_six_to_thirty_characters(account: str) -> None:
    """B021."""
    assert [each.path for each in Google().checked("Account", accountId=account)[1]] == ["accountId"]


def test_ranges_of_a_network_never_overlap() -> None:
    """B072: neither those of one subnetwork nor those of two."""
    google = Google()
    network = google.network()
    own = [{"rangeName": "pods", "ipCidrRange": "10.0.0.0/16"}]
    with pytest.raises(RefusedError, match="conflicts with another range of the same subnetwork"):
        google.subnetwork(network, secondaryIpRanges=own)
    google.subnetwork(network)
    with pytest.raises(RefusedError, match="conflicts with existing subnetwork 'nodes'"):
        google.subnetwork(network, "more", "10.4.16.0/24", secondaryIpRanges=[])
    google.subnetwork(google.network("other"), "more", "10.4.16.0/24", secondaryIpRanges=[])


def test_a_secondary_range_cannot_be_moved() -> None:
    google = Google()
    made = google.subnetwork(google.network())
    with pytest.raises(RefusedError, match="Cannot add and remove secondary IP ranges"):
        google.change("Subnetwork", made, secondaryIpRanges=[{"rangeName": "pods", "ipCidrRange": "10.5.0.0/16"}])


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"datapathProvider": "LEGACY_DATAPATH"}, "enforces no NetworkPolicy"),
        ({"networkPolicy": {"enabled": True}}, "DatapathProvider=ADVANCED_DATAPATH is not allowed"),
        ({"initialNodeCount": 0}, "must be greater than zero"),
        ({"minMasterVersion": "1.29"}, 'Master version "1.29" is unsupported'),
        ({"location": "us-central1-a"}, "is not in the region of 'us-central1-a'"),
        ({"ipAllocationPolicy": {"clusterSecondaryRangeName": "other"}}, "range 'other' does not exist"),
        (
            {"ipAllocationPolicy": {"clusterSecondaryRangeName": "pods", "servicesSecondaryRangeName": "pods"}},
            "should not be the same as service secondary range name",
        ),
        ({"nodeConfig": {"sandboxConfig": {"type": "GVISOR"}}}, "on the default node pool"),
        (
            {"controlPlaneEndpointsConfig": {"dnsEndpointConfig": {"allowExternalTraffic": True}}},
            "answers 401 to ServiceAccounts",
        ),
    ],
)
def test_a_cluster_that_google_would_not_make_is_refused(inputs: dict[str, Any], says: str) -> None:
    """B049, B073, B094."""
    with pytest.raises(RefusedError, match=says):
        Google().cluster(**inputs)


def test_a_sandbox_needs_an_ordinary_pool_beside_it() -> None:
    """B049: when it is made and when the other one is removed."""
    google = Google()
    made = google.cluster()
    with pytest.raises(RefusedError, match="there is no other node pool"):
        google.pool(made, "computers", sandboxConfig={"type": "GVISOR"})
    system = google.pool(made, "system")
    computers = google.pool(made, "computers", sandboxConfig={"type": "GVISOR"})
    assert google.sandboxes == ["gvisor"]
    assert computers.outputs["nodeConfig"]["labels"] == {"sandbox.gke.io/runtime": "gvisor"}
    with pytest.raises(RefusedError, match="there is no other node pool"):
        google.delete("NodePool", system)
    google.delete("NodePool", computers)
    google.delete("NodePool", system)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"sandboxConfig": {"type": "GVISOR"}, "imageType": "UBUNTU_CONTAINERD"}, "image type COS_CONTAINERD"),
        (
            {
                "sandboxConfig": {"type": "GVISOR"},
                "advancedMachineFeatures": {"threadsPerCore": 2, "enableNestedVirtualization": True},
            },
            "GKE Sandbox and nested virtualization cannot be on one node pool",
        ),
        (
            {"advancedMachineFeatures": {"threadsPerCore": 2, "enableNestedVirtualization": True}},
            "Nested virtualization is not supported for machine type e2-standard-4",
        ),
        ({"machineType": "e2-standard-3"}, "does not exist in zone 'europe-west3-a'"),
        ({"serviceAccount": "nobody@my-project-1.iam.gserviceaccount.com"}, "does not exist"),
    ],
)
def test_machines_that_google_would_not_make_are_refused(config: dict[str, Any], says: str) -> None:
    """B049, B053."""
    google = Google()
    made = google.cluster()
    google.pool(made, "system")
    with pytest.raises(RefusedError, match=says):
        google.pool(made, "computers", **config)


def test_machines_without_a_way_out_are_refused() -> None:
    """B093: Google makes them, and they pull no image."""
    google = Google()
    made = google.cluster(way_out=False)
    with pytest.raises(RefusedError, match="no image could be pulled"):
        google.pool(made, "system")


def test_machines_whose_account_has_no_role_are_refused() -> None:
    google = Google()
    made = google.cluster()
    google.make("Account", accountId="rakazo-nodes")
    with pytest.raises(RefusedError, match="has no role in the project"):
        google.pool(made, "system")


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"autoscaling": {"totalMaxNodeCount": 3, "maxNodeCount": 1}}, "cannot be used together with limits per zone"),
        ({"autoscaling": {"totalMaxNodeCount": 3}, "nodeCount": 1}, "should not be used alongside autoscaling"),
        ({"version": "1.36.2-gke.1100000", "management": {"autoUpgrade": True}}, "fight each other"),
    ],
)
def test_numbers_that_contradict_each_other_are_refused(inputs: dict[str, Any], says: str) -> None:
    """B016, B091."""
    google = Google()
    made = google.cluster()
    with pytest.raises(RefusedError, match=says):
        google.make("NodePool", name="system", cluster=made.id, **inputs)


def test_a_pool_that_would_begin_with_no_machine_is_refused() -> None:
    """Its minimum makes none: what waits for a machine before there are pods would wait for ever."""
    google = Google()
    made, account = google.cluster(), google.account()
    wanted: dict[str, Any] = {"autoscaling": {"totalMinNodeCount": 1, "totalMaxNodeCount": 3}}
    wanted["nodeConfig"] = {"machineType": "e2-standard-4", "serviceAccount": account.outputs["email"]}
    with pytest.raises(RefusedError, match="the pool has no node, whatever its minimum"):
        google.make("NodePool", name="computers", cluster=made.id, **wanted)
    assert google.make("NodePool", name="computers", cluster=made.id, initialNodeCount=1, **wanted).outputs["nodeCount"]


def test_a_pool_that_would_begin_with_more_machines_than_its_most_is_refused() -> None:
    """The first number is per zone, the limit for all zones together."""
    google = Google()
    made, account = google.cluster(location="europe-west3"), google.account()
    wanted: dict[str, Any] = {"initialNodeCount": 1}
    wanted["nodeConfig"] = {"machineType": "e2-standard-4", "serviceAccount": account.outputs["email"]}
    limits = {"totalMinNodeCount": 1, "totalMaxNodeCount": 2}
    with pytest.raises(RefusedError, match="1 in each of 3 zones is more than total_max_node_count 2"):
        google.make("NodePool", name="computers", cluster=made.id, autoscaling=limits, **wanted)
    google.make("NodePool", name="computers", cluster=made.id, autoscaling=limits | {"totalMaxNodeCount": 3}, **wanted)


def test_a_protected_cluster_is_deleted_only_after_an_update_that_says_so() -> None:
    """B003: what counts is what the state has, not what the program now says."""
    google = Google()
    made = google.cluster()
    with pytest.raises(RefusedError, match="deletion_protection is set to true"):
        google.delete("Cluster", made)
    google.delete("Cluster", google.change("Cluster", made, deletionProtection=False))


def test_nothing_is_removed_that_something_uses() -> None:
    """B011: a missing dependency ends at once, not after minutes."""
    google = Google()
    network = google.network()
    subnetwork = google.subnetwork(network)
    google.way_out(network, subnetwork)
    made = google.make("Cluster", **{**cluster(network.id, subnetwork.id), "deletionProtection": False})
    for kind, thing in (("Network", network), ("Subnetwork", subnetwork)):
        with pytest.raises(RefusedError, match="is already being used by"):
            google.delete(kind, thing)
    google.delete("Cluster", made)


@pytest.mark.parametrize(
    ("kind", "change", "replaced"),
    [
        ("Cluster", {"deletionProtection": False}, frozenset()),
        ("Cluster", {"minMasterVersion": "1.37"}, frozenset()),
        (
            "Cluster",
            {"masterAuthorizedNetworksConfig": {"cidrBlocks": [{"cidrBlock": "198.51.100.7/32"}]}},
            frozenset(),
        ),
        ("Cluster", {"datapathProvider": "LEGACY_DATAPATH"}, frozenset({"datapathProvider"})),
        ("Cluster", {"initialNodeCount": 2}, frozenset({"initialNodeCount"})),
        (
            "Cluster",
            {"privateClusterConfig": {"enablePrivateNodes": True, "privateEndpointSubnetwork": "other"}},
            frozenset({"privateClusterConfig"}),
        ),
        ("NodePool", {"nodeCount": 2}, frozenset()),
        ("NodePool", {"initialNodeCount": 2}, frozenset({"initialNodeCount"})),
    ],
)
def test_what_can_only_be_chosen_once_makes_a_new_one(
    kind: str, change: dict[str, Any], replaced: frozenset[str]
) -> None:
    """B095."""
    google = Google()
    made = google.cluster()
    thing = made if kind == "Cluster" else google.pool(made, "system")
    assert google.replaces(kind, thing, **change) == replaced


@pytest.mark.parametrize(
    ("change", "replaced"),
    [
        ({"machineType": "n2-standard-8"}, False),
        ({"labels": {"rakazo-infra/pool": "system"}}, False),
        ({"sandboxConfig": {"type": "GVISOR"}}, True),
        ({"shieldedInstanceConfig": {"enableSecureBoot": True}}, True),
    ],
)
def test_another_size_keeps_the_pool_and_another_kind_of_machine_does_not(
    change: dict[str, Any], replaced: bool
) -> None:
    google = Google()
    made = google.pool(google.cluster(), "system")
    config = {**made.inputs["nodeConfig"], **change}
    assert bool(google.replaces("NodePool", made, nodeConfig=config)) is replaced
