"""What a stack may say about a cluster at AWS, as far as that is known without asking AWS."""

from collections.abc import Mapping
from ipaddress import ip_network
from itertools import combinations
from typing import Any

import pytest

from stacks.pair import Pair, refused
from stacks.target import EksTarget
from stacks.target.eks_network import OwnNetwork
from tests.unit.stacks.committed import accepted, refusals

EXISTING: Mapping[str, Any] = {
    "kind": "existing",
    "vpc": "vpc-0123456789abcdef0",
    "subnets": {
        "eu-central-1a": {
            "nodes": {"id": "subnet-0000000000000000a", "range": "10.1.0.0/20"},
            "pods": {"id": "subnet-0000000000000001a", "range": "10.2.0.0/18"},
        },
        "eu-central-1b": {
            "nodes": {"id": "subnet-0000000000000000b", "range": "10.1.16.0/20"},
            "pods": {"id": "subnet-0000000000000001b", "range": "10.2.64.0/18"},
        },
    },
}


def target(**changes: Any) -> EksTarget:
    found = accepted("eks", **changes).target
    assert isinstance(found, EksTarget)
    return found


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"account": 111122223333}, "target.account must be text; put it in quotes"),
        ({"account": "1111"}, "target.account must match ^[0-9]{12}$"),
        ({"region": "Frankfurt"}, 'write one such as "eu-central-1"'),
        ({"region": "us-gov-west-1"}, "partition of its own"),
        ({"zones": ["eu-central-1a"]}, "EKS needs two"),
        ({"zones": ["eu-central-1a", "eu-central-1a"]}, "one zone twice"),
        ({"zones": ["eu-central-1a", "eu-west-1b"]}, "eu-west-1b is no availability zone of eu-central-1"),
        ({"kubernetes_version": 1.36}, "is a number in YAML"),
        ({"admin_cidrs": ["0.0.0.0/0"]}, "is everybody"),
        ({"admin_cidrs": ["10.0.0.0/8"]}, "is private, which nobody on the internet is"),
        ({"admin_cidrs": ["2a02:1234::/48"]}, "is IPv6"),
        ({"administrators": []}, "has too few entries"),
        ({"administrators": ["arn:aws:iam::111122223333:root"]}, "write a role's ARN"),
        ({"administrators": ["rakazo-deploy"]}, "is no role or user"),
        ({"administrators": ["arn:aws:iam::999922223333:role/deploy"]}, "belong to another account"),
        ({"administrators": ["arn:aws:iam::111122223333:role/d"] * 2}, "one is named twice"),
        ({"services": "172.20.0.0/26"}, "which is what EKS takes"),
        ({"services": "10.42.0.0/16"}, "services and network.pods overlap"),
        ({"system": {"type": "m7g.xlarge"}}, "is an Arm instance"),
        ({"system": {"type": "t3.medium"}}, "is too small for a node"),
        ({"system": {"type": "large"}}, 'write one such as "m7i.2xlarge"'),
        ({"computers__maximum": 1}, "minimum is more than maximum; write maximum: 2"),
        ({"computers__disk": 20}, "must be at least 30"),
        ({"gvisor__platform": "kvm"}, "a .metal type"),
        ({"gvisor": None}, "target.gvisor is missing"),
        ({"network__nat": "two"}, "must be none, one or per-zone"),
    ],
)
def test_what_cannot_work_is_one_line_that_says_what_to_write(changes: dict[str, Any], says: str) -> None:
    """C16, B014, B038: nothing has been asked of AWS yet."""
    (fault,) = refusals("eks", **changes)
    assert says in fault


def test_a_session_of_a_role_is_told_apart_from_the_role() -> None:
    """B087: the entry would be for a session that ends."""
    session = "arn:aws:sts::111122223333:assumed-role/rakazo-deploy/pulumi"
    (fault,) = refusals("eks", administrators=[session])
    assert "write arn:aws:iam::111122223333:role/rakazo-deploy" in fault


@pytest.mark.parametrize("pods", ["100.64.0.0/16", "198.19.0.0/16", "52.0.0.0/16"])
def test_pods_outside_of_the_private_ranges_are_refused_with_the_reason(pods: str) -> None:
    """B072: the usual second range of a VPC is carrier-grade, where Rakazo's web dials nobody."""
    (fault,) = refusals("eks", network__pods=pods)
    assert "Rakazo's web dials computers only there" in fault
    subnets = {**EXISTING["subnets"]}
    subnets["eu-central-1a"] = {**subnets["eu-central-1a"], "pods": {"id": "subnet-0000000000000001a", "range": pods}}
    (fault,) = refusals("eks", network={**EXISTING, "subnets": subnets})
    assert "Rakazo's web dials computers only there" in fault


def with_pods(text: str, **changes: Any) -> list[str]:
    """Return what is wrong with an existing network whose first zone has these pods."""
    subnets = {**EXISTING["subnets"]}
    subnets["eu-central-1a"] = {**subnets["eu-central-1a"], "pods": {"id": "subnet-0000000000000001a", "range": text}}
    return list(refusals("eks", network={**EXISTING, "subnets": subnets}, **changes))


def test_a_subnet_of_pods_has_blocks_of_addresses_for_every_node_of_its_zone() -> None:
    """Each takes three of 16: a subnet in which addresses are left may have no block for another node."""
    assert with_pods("10.2.0.0/25", system__count=1, computers={"minimum": 1, "maximum": 1}) == []
    (fault,) = with_pods("10.2.0.0/28")
    assert "from which 0 nodes get blocks" in fault
    assert with_pods("10.2.0.0/24", computers={"minimum": 1, "maximum": 4}) == []
    (fault,) = with_pods("10.2.0.0/24", computers={"minimum": 1, "maximum": 5})
    assert "the pods of eu-central-1a have 10.2.0.0/24, from which 4 nodes get blocks" in fault
    assert "there may be 5" in fault


def test_a_network_without_room_locks_nobody_out_of_a_cluster_that_is_there() -> None:
    """Its ranges are for ever: with protect: false it can be ended."""
    subnets = {**EXISTING["subnets"]}
    pods = {"id": "subnet-0000000000000001a", "range": "10.2.0.0/25"}
    subnets["eu-central-1a"] = {**subnets["eu-central-1a"], "pods": pods}
    (fault,) = with_pods("10.2.0.0/25")
    assert "With protect: false this is a warning" in fault
    open_ = target(network={**EXISTING, "subnets": subnets}, protect=False)
    (told,) = [each for each in open_.warnings() if "blocks" in each]
    assert told.startswith("settings.target.network: the pods of eu-central-1a have 10.2.0.0/25, from which 2 nodes")


def test_a_network_of_its_own_has_room_for_its_nodes_too() -> None:
    wide = {"kind": "own", "nodes": "10.0.0.0/16", "pods": "10.42.0.0/20", "nat": "one"}
    (fault,) = refusals("eks", network=wide, computers={"minimum": 1, "maximum": 100})
    assert "the pods of eu-central-1a have 10.42.0.0/22, from which 20 nodes get blocks" in fault


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"network__pods": "10.42.0.0/15"}, "must be between /16 and /20"),
        ({"network__nodes": "10.0.0.0/22"}, "must be between /16 and /20"),
        ({"network__pods": "10.0.0.0/16"}, "nodes and pods overlap"),
        ({"network__pods": "192.168.0.0/16"}, "AWS takes no second range from another private block"),
    ],
)
def test_a_network_of_its_own_has_two_ranges_that_aws_takes_together(changes: dict[str, Any], says: str) -> None:
    (fault, *_) = refusals("eks", **changes)
    assert says in fault


def test_no_two_subnets_overlap_and_each_lies_in_its_range() -> None:
    zones = ("eu-central-1a", "eu-central-1b", "eu-central-1c")
    network = OwnNetwork(kind="own", nodes="172.16.0.0/20", pods="172.20.0.0/18")
    assert list(refusals("eks", zones=list(zones), network=network.model_dump(), services="10.96.0.0/12")) == []
    nodes, public, pods = (found(zones) for found in (network.node_ranges, network.public_ranges, network.pod_ranges))
    every = [ip_network(text) for found in (nodes, public, pods) for text in found.values()]
    assert len(every) == 9
    assert [pair for pair in combinations(every, 2) if pair[0].overlaps(pair[1])] == []
    assert all(ip_network(text).prefixlen <= 28 for text in public.values()), "AWS takes no smaller one"
    assert nodes == {
        "eu-central-1a": "172.16.0.0/24",
        "eu-central-1b": "172.16.1.0/24",
        "eu-central-1c": "172.16.2.0/24",
    }


def test_a_third_zone_moves_nothing_of_the_first_two() -> None:
    two, three = target(), target(zones=["eu-central-1a", "eu-central-1b", "eu-central-1c"])
    for before, after in ((two.node_ranges, three.node_ranges), (two.pod_ranges, three.pod_ranges)):
        assert before.items() <= after.items()


def test_existing_subnets_are_taken_as_they_are() -> None:
    found = target(network=dict(EXISTING))
    assert found.node_ranges == {"eu-central-1a": "10.1.0.0/20", "eu-central-1b": "10.1.16.0/20"}
    assert found.pod_ranges == {"eu-central-1a": "10.2.0.0/18", "eu-central-1b": "10.2.64.0/18"}


def test_existing_subnets_are_named_for_each_zone_and_only_once() -> None:
    (fault,) = refusals("eks", zones=["eu-central-1a", "eu-central-1c"], network=dict(EXISTING))
    assert "write the subnets of each zone and of no other" in fault
    first = EXISTING["subnets"]["eu-central-1a"]
    (fault,) = refusals("eks", network={**EXISTING, "subnets": {**EXISTING["subnets"], "eu-central-1b": first}})
    assert "one is named twice" in fault
    shared = {
        "nodes": EXISTING["subnets"]["eu-central-1b"]["nodes"],
        "pods": {**first["pods"], "id": "subnet-0000000000000009b"},
    }
    (fault,) = refusals("eks", network={**EXISTING, "subnets": {**EXISTING["subnets"], "eu-central-1b": shared}})
    assert "overlaps another's" in fault


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"admin_cidrs": []}, "answers inside the VPC only"),
        ({"network__nat": "one"}, "nat: per-zone"),
        ({"computers": {"minimum": 1, "maximum": 4}}, "EKS adds no node by itself"),
        ({"protect": False}, "without asking twice"),
        ({"kubernetes_version": "1.35"}, "AWS promises no policies for pods without an owner"),
    ],
)
def test_what_is_allowed_and_costs_something_is_told(changes: dict[str, Any], says: str) -> None:
    assert any(says in warning for warning in target(**changes).warnings())


def test_a_safe_stack_is_told_nothing() -> None:
    assert list(target(network__nat="per-zone").warnings()) == []


@pytest.mark.parametrize(("machine", "fits"), [("m6a.2xlarge", False), ("m7i.2xlarge", True), ("c5.metal", True)])
def test_kata_goes_with_a_type_that_nests_and_with_no_other(machine: str, fits: bool) -> None:
    """B052, B053."""
    pair = Pair(target="eks", runtime="kata", kubernetes_version=(1, 36), machine=machine)
    told = list(refused(pair))
    assert (told == []) is fits
    assert fits or "m7i.2xlarge" in told[0]
