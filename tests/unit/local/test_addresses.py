"""The address plan: nothing overlaps, and every kind of place that must be blocked has a listener."""

import ipaddress
from itertools import combinations

from local.cluster import addresses, plan


def test_node_pod_and_service_ranges_never_overlap() -> None:
    ranges = [addresses.NODE_RANGE, addresses.POD_RANGE, addresses.SERVICE_RANGE]
    for one, other in combinations(map(ipaddress.ip_network, ranges), 2):
        assert not one.overlaps(other), f"{one} overlaps {other}"


def test_pods_of_the_nodes_share_the_pod_range_without_overlap() -> None:
    parts = [ipaddress.IPv4Network(node.pods) for node in addresses.NODES]
    whole = ipaddress.IPv4Network(addresses.POD_RANGE)
    assert all(part.subnet_of(whole) for part in parts)
    assert not parts[0].overlaps(parts[1])


def test_no_listener_of_the_outside_has_an_address_of_the_cluster() -> None:
    ranges = [addresses.NODE_RANGE, addresses.POD_RANGE, addresses.SERVICE_RANGE]
    for address in addresses.LISTENERS:
        assert not any(ipaddress.ip_address(address) in ipaddress.ip_network(each) for each in ranges)


def test_every_private_range_the_metadata_addresses_and_a_public_one_have_a_listener() -> None:
    listening = [ipaddress.ip_address(address) for address in addresses.LISTENERS]
    blocked = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.169.254/32"]
    for each in [*blocked, "169.254.170.23/32", "192.175.48.0/24"]:
        assert any(address in ipaddress.ip_network(each) for address in listening), f"nothing listens in {each}"


def test_a_node_routes_the_other_nodes_pods_and_not_its_own() -> None:
    assert addresses.other_pod_ranges(addresses.SYSTEM) == {"10.42.1.0/24": "10.10.0.12"}
    assert addresses.other_pod_ranges(None) == {"10.42.0.0/24": "10.10.0.11", "10.42.1.0/24": "10.10.0.12"}


def test_the_facts_of_a_cluster_name_every_kind_of_place() -> None:
    assert set(addresses.LISTENERS.values()) < set(plan.facts())
