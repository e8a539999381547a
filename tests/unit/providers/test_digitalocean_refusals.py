"""What DigitalOcean refuses, and what it answers with another cluster: that it does so today, sources say, no cloud."""

from typing import Any

import pytest

from tests.providers.digitalocean import Account
from tests.providers.digitalocean.behind import Invented
from tests.providers.refused import RefusedError
from tests.unit.providers.ocean import Ocean


@pytest.fixture
def ocean() -> Ocean:
    return Ocean()


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"version": "1.19.3-do.0"}, "422 validation error: invalid version slug"),
        ({"nodePool": {"name": "default", "size": "s-1vcpu-1gb", "nodeCount": 1}}, "invalid droplet size"),
        ({"nodePool": {"name": "default", "size": "s-1vcpu-2gb"}}, "at least one node"),
        ({"region": "nyc2"}, "invalid region"),
        ({"region": "ams3"}, "no such VPC in this region"),
        ({"clusterSubnet": "10.124.0.0/16"}, "overlaps with another VPC"),
        ({"serviceSubnet": "10.124.8.0/22"}, "overlaps with another VPC"),
    ],
)
def test_a_cluster_that_cannot_be_is_refused(ocean: Ocean, inputs: dict[str, Any], message: str) -> None:
    """B094, B099."""
    vpc = ocean.vpc()
    with pytest.raises(RefusedError, match=message):
        ocean.cluster(vpc, **inputs)
    assert "cluster" not in ocean.account.summary()


def test_two_clusters_of_an_account_share_neither_name_nor_addresses(ocean: Ocean) -> None:
    vpc = ocean.vpc()
    ocean.cluster(vpc)
    with pytest.raises(RefusedError, match="name already exists"):
        ocean.cluster(vpc)
    with pytest.raises(RefusedError, match="overlaps"):
        ocean.cluster(vpc, name="other")
    with pytest.raises(RefusedError, match="overlaps"):
        ocean.vpc(name="other", ipRange="10.112.0.0/20")


@pytest.mark.parametrize(
    ("region", "text", "message"), [("fra1", "10.19.0.0/20", "reserved"), ("nyc2", "10.1.0.0/20", "region")]
)
def test_a_network_that_cannot_be_is_refused(ocean: Ocean, region: str, text: str, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        ocean.vpc(region=region, ipRange=text)


@pytest.mark.parametrize("text", ["10.0.0.0/8", "10.124.0.0/25", "100.64.0.0/20"])
def test_a_range_of_the_wrong_size_or_kind_fails_the_check(ocean: Ocean, text: str) -> None:
    assert ocean.checked("Vpc", {"name": "net", "region": "fra1", "ipRange": text})[1]


def test_a_firewall_takes_addresses(ocean: Ocean) -> None:
    firewall = {"enabled": True, "allowedAddresses": ["198.51.100.7/32", "198.51.100.7/24"]}
    (failure,) = ocean.checked(
        "KubernetesCluster", {**ocean.cluster(ocean.vpc()).inputs, "controlPlaneFirewall": firewall}
    )[1]
    assert failure.path == "controlPlaneFirewall.allowedAddresses[1]"


def test_another_size_of_the_default_pool_is_another_cluster(ocean: Ocean) -> None:
    """B095."""
    cluster = ocean.cluster(ocean.vpc())
    larger = {"name": "default", "size": "s-2vcpu-4gb", "nodeCount": 1}
    assert ocean.compare("KubernetesCluster", cluster, nodePool=larger).replaces == {"nodePool"}
    more = {"name": "default", "size": "s-1vcpu-2gb", "nodeCount": 2}
    assert ocean.compare("KubernetesCluster", cluster, nodePool=more).replaces == frozenset()


@pytest.mark.parametrize(("version", "replaces"), [("1.35.6-do.1", {"version"}), ("1.37.1-do.0", set())])
def test_an_older_version_is_another_cluster_and_a_newer_one_is_not(
    ocean: Ocean, version: str, replaces: set[str]
) -> None:
    """B094."""
    cluster = ocean.cluster(ocean.vpc())
    assert ocean.compare("KubernetesCluster", cluster, version=version).replaces == replaces


def test_another_size_of_a_pool_is_another_pool(ocean: Ocean) -> None:
    """B095."""
    pool = ocean.pool(ocean.cluster(ocean.vpc()))
    larger = ocean.compare("KubernetesNodePool", pool, size="s-8vcpu-16gb", name="other")
    assert larger.replaces == {"size"}
    assert larger.deletes_first, "whatever it is called"
    assert ocean.compare("KubernetesNodePool", pool, nodeCount=3).replaces == frozenset()


def test_high_availability_is_on_when_nothing_is_said_and_never_goes_again(ocean: Ocean) -> None:
    """B097."""
    vpc = ocean.vpc()
    complete, _ = ocean.checked("KubernetesCluster", ocean.cluster(vpc).inputs)
    unsaid = {name: value for name, value in complete.items() if name != "ha" and not name.startswith("__")}
    ranges = {"clusterSubnet": "172.16.0.0/16", "serviceSubnet": "172.17.0.0/19"}
    cluster = ocean.make("KubernetesCluster", **{**unsaid, **ranges, "name": "other"})
    assert cluster.outputs["ha"] is True
    with pytest.raises(RefusedError, match="high availability cannot be disabled"):
        ocean.change("KubernetesCluster", cluster, ha=False)


def test_no_minor_is_left_out(ocean: Ocean) -> None:
    cluster = ocean.cluster(ocean.vpc(), version="1.35.6-do.1")
    with pytest.raises(RefusedError, match="next minor"):
        ocean.change("KubernetesCluster", cluster, version="1.37.1-do.0")
    assert ocean.change("KubernetesCluster", cluster, version="1.36.3-do.0")["version"] == "1.36.3-do.0"


@pytest.mark.parametrize("name", ["default", "more"])
def test_no_two_pools_of_a_cluster_have_one_name(ocean: Ocean, name: str) -> None:
    """B095: so a pool that is made anew needs another one."""
    cluster = ocean.cluster(ocean.vpc())
    ocean.pool(cluster)
    with pytest.raises(RefusedError, match="must be unique"):
        ocean.pool(cluster, name=name)


def test_an_account_has_so_many_droplets_and_no_more(ocean: Ocean) -> None:
    cluster = ocean.cluster(ocean.vpc())
    pool = ocean.pool(cluster, nodeCount=24)
    with pytest.raises(RefusedError, match="droplet limit"):
        ocean.change("KubernetesNodePool", pool, nodeCount=25)


def test_every_question_for_a_cluster_is_answered_with_a_new_credential(ocean: Ocean) -> None:
    """B098."""
    ocean.cluster(ocean.vpc())
    tokens = {ocean.ask("getKubernetesCluster", name="team")["kubeConfigs"][0]["token"] for _ in range(3)}
    assert len(tokens) == 3
    with pytest.raises(RefusedError, match="Unable to find cluster with name: other"):
        ocean.ask("getKubernetesCluster", name="other")


@pytest.mark.parametrize(("along", "left"), [(False, ["volume pvc-1"]), (True, [])])
def test_a_cluster_leaves_its_volumes_unless_it_was_told_otherwise(along: bool, left: list[str]) -> None:
    """B096."""
    ocean = Ocean(Account(behind=Invented(kept=["pvc-1"])))
    vpc = ocean.vpc()
    cluster = ocean.cluster(vpc, destroyAllAssociatedResources=along)
    ocean.pool(cluster)
    with pytest.raises(RefusedError, match="Can not delete VPC with members"):
        ocean.delete("Vpc", vpc)
    ocean.delete("KubernetesCluster", cluster)
    with pytest.raises(RefusedError, match="Can not delete VPC with members"):
        ocean.delete("Vpc", vpc)
    ocean.delete("Vpc", vpc, limit=1200.0)
    assert ocean.account.leftovers == left
    assert ocean.account.summary() == ({"leftover": left} if left else {})


def test_a_share_grows_and_becomes_faster_and_never_the_other_way_round(ocean: Ocean) -> None:
    vpc = ocean.vpc()
    share = ocean.make("Nfs", name="files", region="fra1", vpcId=vpc.id, size=100, performanceTier="standard")
    assert share.outputs["host"].startswith("10.124.15.")
    assert ocean.change("Nfs", share, size=200, performanceTier="high")["size"] == 200
    with pytest.raises(RefusedError, match="only be expanded"):
        ocean.change("Nfs", share, size=50)
    with pytest.raises(RefusedError, match="cannot be downgraded"):
        ocean.change("Nfs", share, size=200, performanceTier="standard")
