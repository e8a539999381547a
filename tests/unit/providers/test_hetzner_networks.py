"""Private ranges, firewall rules and load balancers of the stand-in."""

from typing import Any

import pytest

from tests.providers.hcloud.firewall_rules import selects
from tests.providers.hcloud.private_networks import Wish, choose_address
from tests.providers.refused import RefusedError
from tests.unit.providers.hetzner import RULE, Hetzner

NETWORK = {"ipRange": "10.0.0.0/16"}
SUBNETS = [
    {"ipRange": "10.0.0.0/24", "networkZone": "eu-central"},
    {"ipRange": "10.0.2.0/30", "networkZone": "eu-central"},
    {"ipRange": "10.0.3.0/24", "networkZone": "us-east"},
]


@pytest.fixture
def hetzner() -> Hetzner:
    return Hetzner()


def chosen(*taken: str, zone: str = "eu-central", **wish: Any) -> str:
    return choose_address(Wish.of({"networkId": 7, **wish}), NETWORK, SUBNETS, zone, taken)


def test_an_address_is_the_first_free_one_of_the_subnet_that_was_asked_for() -> None:
    assert chosen(subnetId="7-10.0.0.0/24") == "10.0.0.2", "the first address of the network is its router"
    assert chosen("10.0.0.2", subnetId="7-10.0.0.0/24") == "10.0.0.3"


def test_with_the_network_alone_it_is_the_last_subnet_of_the_zone() -> None:
    """B027: which is why a program names the subnet."""
    assert chosen() == "10.0.2.1"
    assert chosen(zone="us-east") == "10.0.3.1"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"ip": "10.0.0.1"}, "ip_not_available"),
        ({"ip": "10.0.2.3"}, "ip_not_available"),
        ({"ip": "10.0.9.9"}, "no_subnet_available"),
        ({"zone": "ap-southeast"}, "no_subnet_available"),
        ({"zone": "us-east", "subnetId": "7-10.0.0.0/24"}, "no_subnet_available"),
    ],
)
def test_an_address_that_nobody_may_have_is_refused(wish: dict[str, Any], code: str) -> None:
    """B029, B043: router and broadcast, outside every subnet, another network zone."""
    with pytest.raises(RefusedError, match=code):
        chosen(**wish)


def test_a_full_subnet_has_no_address() -> None:
    with pytest.raises(RefusedError, match="no_subnet_available"):
        chosen("10.0.2.1", "10.0.2.2")


@pytest.mark.parametrize(
    ("range_", "message"), [("10.1.0.0/24", "not inside"), ("10.0.1.128/25", "overlaps with an existing")]
)
def test_a_subnet_lies_inside_its_network_and_beside_the_others(hetzner: Hetzner, range_: str, message: str) -> None:
    network, _ = hetzner.network()
    with pytest.raises(RefusedError, match=message):
        hetzner.make("NetworkSubnet", networkId=int(network.id), ipRange=range_, networkZone="eu-central", type="cloud")


@pytest.mark.parametrize("range_", ["10.0.0.1/16", "192.0.2.0/24", "10.0.0.0/25", "2001:db8::/32", "ten"])
def test_a_network_that_hetzner_does_not_take_fails_in_preview(hetzner: Hetzner, range_: str) -> None:
    assert [path for path, _ in hetzner.failures("Network", name="n", ipRange=range_)] == ["ipRange"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"direction": "inwards"}, "rules[0].direction"),
        ({"protocol": "http"}, "rules[0].protocol"),
        ({"port": None}, "rules[0].port"),
        ({"sourceIps": []}, "rules[0].sourceIps"),
        ({"destinationIps": ["0.0.0.0/0"]}, "rules[0].sourceIps"),
        ({"sourceIps": ["198.51.100.7/24"]}, "rules[0].sourceIps[0]"),
    ],
)
def test_a_rule_that_means_nothing_fails_in_preview(hetzner: Hetzner, change: dict[str, Any], path: str) -> None:
    """B038: a rule without sources is not a rule for everybody."""
    assert path in [where for where, _ in hetzner.failures("Firewall", name="f", rules=[{**RULE, **change}])]


@pytest.mark.parametrize(
    ("selector", "matches"),
    [("role=server", True), ("role", True), ("role==server,zone=a", True), ("role=agent", False), ("", False)],
)
def test_a_selector_selects_by_all_its_parts(selector: str, *, matches: bool) -> None:
    assert selects(selector, {"role": "server", "zone": "a"}) is matches


def test_a_load_balancer_is_the_sum_of_its_parts(hetzner: Hetzner) -> None:
    network, subnet = hetzner.network()
    made = hetzner.server(networks=[{"subnetId": subnet.id, "ip": "10.0.1.11"}])
    balancer = hetzner.make("LoadBalancer", name="web", loadBalancerType="lb11", location="fsn1")
    numeric = int(balancer.id)
    inside = hetzner.make("LoadBalancerNetwork", loadBalancerId=numeric, subnetId=subnet.id, ip="10.0.1.254")
    hetzner.make(
        "LoadBalancerService", loadBalancerId=balancer.id, protocol="tcp", listenPort=443, destinationPort=30443
    )
    hetzner.make("LoadBalancerTarget", loadBalancerId=numeric, type="server", serverId=int(made.id), usePrivateIp=True)
    plan = hetzner.balancers.plans[balancer.id]
    assert plan.public_ipv4 == balancer.outputs["ipv4"]
    assert plan.private is not None
    assert plan.private.address == "10.0.1.254"
    assert [(each.listen_port, each.destination_port) for each in plan.services] == [(443, 30443)]
    assert [each.address for each in plan.targets] == ["10.0.1.11"]
    hetzner.change("LoadBalancerNetwork", inside, enablePublicInterface=False)
    assert hetzner.balancers.plans[balancer.id].public_ipv4 is None
    with pytest.raises(RefusedError, match="servers are attached"):
        hetzner.delete("NetworkSubnet", subnet)
    hetzner.delete("LoadBalancer", balancer)
    assert hetzner.balancers.plans == {}
    assert network.id in hetzner.project.all("network")


def test_a_target_has_to_be_where_the_load_balancer_reaches_it(hetzner: Hetzner) -> None:
    _, subnet = hetzner.network()
    made = hetzner.server()
    balancer = int(hetzner.make("LoadBalancer", name="web", loadBalancerType="lb11", networkZone="eu-central").id)
    target: dict[str, Any] = {"loadBalancerId": balancer, "type": "server", "serverId": int(made.id)}
    with pytest.raises(RefusedError, match="load_balancer_not_attached_to_network"):
        hetzner.make("LoadBalancerTarget", **target, usePrivateIp=True)
    hetzner.make("LoadBalancerNetwork", loadBalancerId=balancer, subnetId=subnet.id)
    with pytest.raises(RefusedError, match="server_not_attached_to_network"):
        hetzner.make("LoadBalancerTarget", **target, usePrivateIp=True)
    hetzner.make("LoadBalancerTarget", **target)
    hetzner.make("LoadBalancerService", loadBalancerId=str(balancer), protocol="http")
    with pytest.raises(RefusedError, match="source_port_already_used"):
        hetzner.make("LoadBalancerService", loadBalancerId=str(balancer), protocol="http")


def test_a_volume_grows_only_and_outlives_its_server(hetzner: Hetzner) -> None:
    made = hetzner.server()
    volume = hetzner.make("Volume", name="data", size=20, serverId=int(made.id))
    with pytest.raises(RefusedError, match="can only grow"):
        hetzner.change("Volume", volume, size=10)
    hetzner.delete("Server", made)
    found = hetzner.read("Volume", volume)
    assert found is not None
    assert (found.outputs["serverId"], found.outputs["location"]) == (0, "fsn1")
