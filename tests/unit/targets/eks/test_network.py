"""The network of a cluster at AWS: who has which addresses, and who is let in where."""

from typing import Any

import pytest

from tests.unit.clouds import aws
from tests.unit.graph import everything_before, named
from tests.unit.recorder import Recorder
from tests.unit.stacks.test_eks_target import EXISTING
from tests.unit.targets.eks.example import NETWORKS, addon_settings, committed, made

ZONES = ("eu-central-1a", "eu-central-1b")


def existing(**changes: Any) -> Recorder:
    """Return what is made inside subnets that exist."""
    subnets = {
        both[role]["id"]: aws.subnet(zone, both[role]["range"])
        for zone, both in EXISTING["subnets"].items()
        for role in ("nodes", "pods")
    }
    network = aws.vpc("10.1.0.0/16", "10.2.0.0/16", "100.64.0.0/16")
    return made(aws.answers(network=network, subnets=subnets), network=dict(EXISTING), **changes)[0]


def rules(recorder: Recorder) -> set[tuple[str, str, str, int | None]]:
    """Return into whom, whom, which protocol, at which port."""
    return {
        (
            item.inputs["securityGroupId"].removeprefix("cluster-groups-").removesuffix("-id"),
            item.inputs["referencedSecurityGroupId"].removeprefix("cluster-groups-").removesuffix("-id"),
            item.inputs["ipProtocol"],
            item.inputs.get("fromPort"),
        )
        for item in recorder.of_kind("SecurityGroupIngressRule")
    }


def test_nodes_let_in_the_api_at_the_kubelet_and_nobody_else() -> None:
    """B040: no pod of another node, no administrator, no SSH."""
    assert rules(committed()) == {
        ("api", "nodes", "tcp", 443),
        ("api", "pods", "tcp", 443),
        ("nodes", "api", "tcp", 10250),
        ("pods", "pods", "-1", None),
        ("pods", "nodes", "-1", None),
    }
    assert [item.name for item in committed().of_kind("SecurityGroup") if item.inputs.get("ingress")] == []


def test_a_file_system_lets_in_nodes_at_its_one_port() -> None:
    assert rules(made(shared_files=True)[0]) - rules(committed()) == {("files", "nodes", "tcp", 2049)}


@pytest.mark.parametrize(("nat", "gateways", "public"), [("none", 0, True), ("one", 1, False), ("per-zone", 2, False)])
def test_nodes_reach_the_internet_as_it_is_written_and_from_every_zone(nat: str, gateways: int, public: bool) -> None:
    """B093: each subnet of nodes has a route out, and no node starts before it."""
    recorder = made(network__nat=nat)[0]
    assert len(recorder.of_kind("NatGateway")) == len(recorder.of_kind("Eip")) == gateways
    for zone in ZONES:
        assert named(recorder, f"cluster-vpc-nodes-{zone}").inputs["mapPublicIpOnLaunch"] is public
    used = {item.inputs["subnetId"]: item.inputs["routeTableId"] for item in recorder.of_kind("RouteTableAssociation")}
    out = {item.inputs["routeTableId"]: item.inputs for item in recorder.of_kind("Route")}
    for zone in ZONES:
        way = out[used[f"cluster-vpc-nodes-{zone}-id"]]
        assert way["destinationCidrBlock"] == "0.0.0.0/0"
        assert ("gatewayId" in way) is public
        nat_zone = zone if nat == "per-zone" else ZONES[0]
        assert public or way["natGatewayId"] == f"cluster-vpc-way-out-nat-{nat_zone}-id"
    routes = {item.name for item in recorder.of_kind("Route") if "-nodes" in item.name}
    assert routes <= everything_before(recorder, named(recorder, "cluster-nodes-computers"))


def test_pods_have_a_range_of_their_own_and_no_way_out_of_the_vpc_by_themselves() -> None:
    used = {item.inputs["subnetId"] for item in committed().of_kind("RouteTableAssociation")}
    for zone in ZONES:
        subnet = named(committed(), f"cluster-vpc-pods-{zone}")
        assert f"{subnet.name}-id" not in used
        assert "cluster-vpc-pods" in everything_before(committed(), subnet), "its range has to be there"


def test_subnets_carry_the_tags_of_load_balancers() -> None:
    for zone in ZONES:
        for role, tag in (("nodes", "internal-elb"), ("public", "elb")):
            tags = named(committed(), f"cluster-vpc-{role}-{zone}").inputs["tags"]
            assert tags[f"kubernetes.io/role/{tag}"] == "1"


def test_in_a_network_that_exists_nothing_is_made_but_security_groups() -> None:
    recorder = existing()
    made_there = {item.kind for item in recorder.seen if item.typ.startswith("aws:ec2/")}
    assert made_there == {"SecurityGroup", "LaunchTemplate"}
    assert {item.inputs["vpcId"] for item in recorder.of_kind("SecurityGroup")} == {EXISTING["vpc"]}
    assert (
        addon_settings(recorder, "vpc-cni")["eniConfig"]["subnets"]["eu-central-1a"]["id"] == "subnet-0000000000000001a"
    )
    assert NETWORKS[-1].pods == ("10.2.0.0/18", "10.2.64.0/18")
