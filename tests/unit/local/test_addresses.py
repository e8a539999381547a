"""The address plan: nothing overlaps, and every kind of place that must be blocked has a listener."""

import ipaddress
from itertools import combinations

import pytest

from components.rakazo.ranges import NOT_PUBLIC
from local.cluster import addresses, family, plan
from local.cluster.family import DUAL_STACK, IPV4, IPV6, SINGLE_STACK, Families, Family

EACH = pytest.mark.parametrize("each", DUAL_STACK, ids=["IPv4", "IPv6"])

NOT_ROUTED = {"127.0.0.0/8", "224.0.0.0/4", "::/128", "::1/128", "fe80::/10", "ff00::/8"}
"""No Linux host passes packets to these on: loopback, multicast, link-local, and the address of nobody."""


def own_ranges(each: Family) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return [ipaddress.ip_network(text) for text in (each.nodes, each.pods, each.services)]


@EACH
def test_node_pod_and_service_ranges_never_overlap(each: Family) -> None:
    for one, other in combinations(own_ranges(each), 2):
        assert not one.overlaps(other), f"{one} overlaps {other}"


@EACH
def test_pods_of_the_nodes_share_the_pod_range_without_overlap(each: Family) -> None:
    parts = [ipaddress.ip_network(text) for text in each.node_pods.values()]
    whole = ipaddress.ip_network(each.pods)
    assert all(whole.supernet_of(part) for part in parts)  # type: ignore[arg-type]  # both are of one family
    assert not parts[0].overlaps(parts[1])


@EACH
def test_nodes_and_their_gateway_have_addresses_of_the_node_range(each: Family) -> None:
    held = [ipaddress.ip_address(text) for text in (each.gateway, *each.node_addresses.values())]
    assert len(set(held)) == 1 + len(addresses.NODES)
    assert all(address in ipaddress.ip_network(each.nodes) for address in held)


@EACH
def test_no_listener_of_the_outside_has_an_address_of_the_cluster(each: Family) -> None:
    for address in each.listeners:
        assert not any(ipaddress.ip_address(address) in own for own in own_ranges(each))


@EACH
def test_listeners_are_written_as_the_kernel_writes_them(each: Family) -> None:
    """The outside tells by the address that was dialled what it stands for."""
    assert [str(ipaddress.ip_address(address)) for address in each.listeners] == list(each.listeners)


def test_every_range_that_is_not_public_and_can_be_routed_has_a_neighbour_in_it() -> None:
    neighbours = [ipaddress.ip_address(address) for each in DUAL_STACK for address in each.neighbours]
    empty = {str(blocked) for blocked in NOT_PUBLIC if not any(address in blocked for address in neighbours)}
    assert empty == NOT_ROUTED


@EACH
def test_only_the_public_web_and_the_public_dns_are_public(each: Family) -> None:
    public = [
        address
        for address in each.listeners
        if not any(ipaddress.ip_address(address) in blocked for blocked in NOT_PUBLIC)
    ]
    assert public == list(each.public) == [each.public_web, each.public_dns]


@EACH
def test_every_name_of_the_zone_leads_to_a_listener(each: Family) -> None:
    assert set(each.names.values()) <= set(each.listeners)
    assert each.names["example.com"] == each.public_web


def test_no_two_addresses_stand_for_the_same_kind() -> None:
    kinds = [kind for each in DUAL_STACK for kind in each.listeners.values()]
    assert len(set(kinds)) == len(kinds)


def test_a_node_routes_the_other_nodes_pods_and_not_its_own() -> None:
    assert IPV4.routes(addresses.SYSTEM) == {"10.42.1.0/24": "10.10.0.12"}
    assert IPV4.routes(None) == {"10.42.0.0/24": "10.10.0.11", "10.42.1.0/24": "10.10.0.12"}
    assert IPV6.routes(addresses.COMPUTERS) == {"fd00:42::/64": "fd00:10::11"}


def test_neighbours_are_told_as_endpoints() -> None:
    assert "10.99.0.10:80" in IPV4.endpoints
    assert "[fd12:3456:789a::10]:80" in IPV6.endpoints


@pytest.mark.parametrize("families", [SINGLE_STACK, DUAL_STACK], ids=["single", "dual"])
def test_the_facts_of_a_cluster_name_every_kind_of_place(families: Families) -> None:
    told = plan.facts(families)
    for each in families:
        assert {kind: address for address, kind in each.listeners.items()}.items() < told.items()


def test_the_facts_of_a_cluster_name_both_families_only_where_it_has_both() -> None:
    single, dual = plan.facts(SINGLE_STACK), plan.facts(DUAL_STACK)
    assert not any(":" in value for key, value in single.items() if key != "api")
    assert (single["pods"], dual["pods"]) == ("10.42.0.0/16", "10.42.0.0/16,fd00:42::/56")
    assert dual["node_computers"] == "10.10.0.12,fd00:10::12"


def test_a_cluster_has_ipv4_first_and_ipv6_when_asked() -> None:
    assert family.of_cluster(dual_stack=False) == (IPV4,)
    assert family.of_cluster(dual_stack=True) == (IPV4, IPV6)
