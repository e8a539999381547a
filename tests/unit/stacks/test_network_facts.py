"""What a stack may say about the cluster's addresses. Whether they are the cluster's, only the cluster knows."""

from typing import Any

import pytest

from stacks.load import read_settings
from tests.unit.example import document


def refusals(**changes: Any) -> list[str]:
    outcome = read_settings(document(**changes))
    return outcome if isinstance(outcome, list) else []


@pytest.mark.parametrize("pods", ["100.64.0.0/16", "172.32.0.0/16", "9.0.0.0/8", "10.0.0.0/7", "240.0.0.0/4"])
def test_a_pod_range_outside_rfc_1918_is_refused_because_screens_would_stay_dark(pods: str) -> None:
    faults = refusals(target__network__pods=[pods])

    assert len(faults) == 1
    assert faults[0].startswith("rakazo:settings.target.network.pods[0] lies outside 10.0.0.0/8")
    assert "web dials computers only there" in faults[0]


@pytest.mark.parametrize(
    "pods", [["10.0.0.0/8"], ["172.16.0.0/12"], ["192.168.128.0/17"], ["10.42.0.0/16", "fd00:42::/48"]]
)
def test_a_pod_range_inside_rfc_1918_is_accepted(pods: list[str]) -> None:
    assert refusals(target__network__pods=pods, target__network__services=["192.168.0.0/24"]) == []


@pytest.mark.parametrize("pods", [["fd00:42::/48"], ["fd00:42::/48", "fd00:43::/48"]])
def test_pods_without_any_ipv4_range_are_refused_because_screens_would_stay_dark(pods: list[str]) -> None:
    (fault,) = refusals(target__network__pods=pods)
    assert fault.startswith("rakazo:settings.target.network.pods holds no IPv4 range")
    assert fault.endswith('write pods: ["10.42.0.0/16", …]')


@pytest.mark.parametrize("nodes", ["0.0.0.0/0", "0.0.0.0/1", "10.0.0.0/7", "::/0", "2000::/3", "fc00::/7"])
def test_a_node_range_that_holds_half_the_world_is_refused(nodes: str) -> None:
    """B130: web and api let probes in from it, so the namespace would be open to everybody."""
    (fault,) = refusals(target__network__nodes=["10.10.0.0/24", nodes])
    assert fault.startswith("rakazo:settings.target.network.nodes[1] is wider than /")
    assert "kubectl get nodes -o wide" in fault


@pytest.mark.parametrize("nodes", ["10.0.0.0/8", "192.175.48.7/32", "2a01:4f8::/32", "2a01:4f8::7/128"])
def test_a_node_range_that_some_cluster_has_is_accepted(nodes: str) -> None:
    """B130: the limit itself is inside."""
    assert refusals(target__network__nodes=[nodes]) == []


def test_a_service_range_inside_the_pod_range_is_refused() -> None:
    assert refusals(target__network__services=["10.42.7.0/24"]) == [
        "rakazo:settings.target.network: pods and services overlap; they are two different ranges of the cluster"
    ]


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("nodes", ["10.0.0.7"], "nodes[0] has no prefix length"),
        ("nodes", ["10.0.0.7/24"], "nodes[0] is not an address range"),
        ("nodes", ["system"], "nodes[0] is not an address range"),
        ("api_servers", ["10.0.0.7"], "api_servers[0] is not an endpoint"),
        ("api_servers", ["api.example.com:6443"], "api_servers[0] is not an endpoint"),
        ("api_servers", ["10.0.0.7:0"], "api_servers[0] is not an endpoint"),
        ("services", [], "services has too few entries, at least 1 is needed; write services: …"),
    ],
)
def test_addresses_that_a_policy_could_not_take_are_refused(key: str, value: list[str], told: str) -> None:
    (fault,) = refusals(**{f"target__network__{key}": value})
    assert fault.startswith(f"rakazo:settings.target.network.{told}")


def test_ipv6_endpoints_are_accepted() -> None:
    assert refusals(target__network__api_servers=["[fd00::7]:6443"]) == []
