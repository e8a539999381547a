"""The addresses that are not the public internet."""

from dataclasses import replace
from ipaddress import IPv6Network, ip_address, ip_network

import pytest

from components.contracts import Network
from components.rakazo import ranges
from components.rakazo.ranges import EVERYWHERE
from tests.unit.rakazo.surroundings import DUAL_STACK, NETWORK

IPV4, IPV6 = EVERYWHERE


def network(**changes: tuple[str, ...]) -> Network:
    known = Network(pods=("10.42.0.0/16",), services=("10.43.0.0/16",), nodes=(), api_servers=())
    return replace(known, **changes)  # type: ignore[arg-type]


def denied(address: str, facts: Network = NETWORK) -> bool:
    everywhere = IPV4 if ip_address(address).version == IPV4.version else IPV6
    return any(ip_address(address) in ip_network(text) for text in ranges.denied_ranges(facts, everywhere))


@pytest.mark.parametrize("everywhere", EVERYWHERE, ids=["IPv4", "IPv6"])
@pytest.mark.parametrize("facts", [NETWORK, DUAL_STACK], ids=["single", "dual"])
def test_every_exception_lies_strictly_inside_its_block(facts: Network, everywhere: ranges.AddressRange) -> None:
    """B076: the API server refuses an exception of the other family, or one as large as the block."""
    denied_ranges = [ip_network(text) for text in ranges.denied_ranges(facts, everywhere)]
    assert len(denied_ranges) == len(set(denied_ranges)) > 10
    for blocked in denied_ranges:
        assert blocked.version == everywhere.version
        assert blocked.prefixlen > everywhere.prefixlen


@pytest.mark.parametrize(
    ("facts", "address"),
    [
        (network(pods=("100.64.0.0/14",)), "100.64.3.4"),
        (network(services=("34.118.224.0/20",)), "34.118.225.1"),
        (network(nodes=("192.175.48.7/32",)), "192.175.48.7"),
        (network(api_servers=("192.175.48.9:6443",)), "192.175.48.9"),
        (network(api_servers=("[2a01:4f8::11]:6443",)), "2a01:4f8::11"),
        (network(services=("2a05:d018::/108",)), "2a05:d018::1"),
    ],
)
def test_the_clusters_own_addresses_are_denied_wherever_they_lie(facts: Network, address: str) -> None:
    """B072: also outside the private ranges, as with GKE's Services or a server without a private network."""
    assert denied(address, facts)
    assert not denied("8.8.8.8", facts)
    assert not denied("2620:fe::9", facts)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fe80::a9fe:a9fe",
        "64:ff9b::a9fe:a9fe",
    ],
)
def test_every_clouds_metadata_service_is_denied(address: str) -> None:
    """B083: AWS, ECS, EKS, Google, Oracle, Alibaba and Azure, in both address families."""
    assert denied(address)


@pytest.mark.parametrize("address", ["9.9.9.9", "168.63.129.17", "172.32.0.1", "100.128.0.1", "192.175.48.80"])
def test_the_neighbours_of_denied_ranges_are_public(address: str) -> None:
    assert not denied(address)


def test_the_ranges_that_peers_of_this_project_forget_are_there() -> None:
    """C13: link-local, carrier-grade NAT, RFC 1918 and the local ranges of IPv6."""
    listed = {*ranges.denied_ranges(NETWORK, IPV4), *ranges.denied_ranges(NETWORK, IPV6)}
    assert listed >= {"169.254.0.0/16", "100.64.0.0/10", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"}
    assert listed >= {"fc00::/8", "fd00::/8", "fe80::/10", "64:ff9b::/96", "::1/128"}


@pytest.mark.parametrize("taken", ["2000::/3", "fd00::/8"])
def test_no_denied_range_holds_one_that_kube_router_takes_everywhere_for(taken: str) -> None:
    """To kube-router 2.1.0 `::/0` is these two, and of overlapping ranges the narrower counts: it would be open."""
    whole = IPv6Network(taken)
    wider = [text for text in ranges.denied_ranges(NETWORK, IPV6) if whole.subnet_of(IPv6Network(text))]
    assert wider in ([], [taken])


def test_a_cluster_that_claims_all_addresses_is_refused_with_what_to_write() -> None:
    """B072: a block whose exceptions leave nothing would be an error of the API server, without a reason."""
    with pytest.raises(ValueError, match=r"0\.0\.0\.0/0 holds all of 0\.0\.0\.0/0.*write the ranges"):
        ranges.denied_ranges(network(nodes=("0.0.0.0/0",)), IPV4)


def test_an_endpoint_is_split_into_one_address_and_its_port() -> None:
    assert ranges.split_endpoint("10.0.0.7:6443") == ("10.0.0.7/32", 6443)
    assert ranges.split_endpoint("[fd00::7]:443") == ("fd00::7/128", 443)


def test_the_kubernetes_service_is_the_first_address_of_each_service_range() -> None:
    assert ranges.kubernetes_service(DUAL_STACK) == ["10.43.0.1/32", "fd00:43::1/128"]


def test_a_family_without_pods_gets_no_rule() -> None:
    """B076: closed is what remains."""
    assert ranges.families(NETWORK.pods) == [IPV4]
    assert ranges.families(DUAL_STACK.pods) == [IPV4, IPV6]
