"""Which listener new computers count at."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from probes.newborns import blocked

SERVICE = "API server's Service (10.43.0.1:443)"


def scene(pods: tuple[str, ...], nodes: Mapping[str, tuple[str, ...]]) -> Any:
    around = SimpleNamespace(
        nodes=nodes, computers_nodes=frozenset({"b"}), api_servers=(("192.0.2.1", 6443), ("2001:db8::1", 6443))
    )
    return SimpleNamespace(around=around, facts=SimpleNamespace(pods=pods, services=("10.43.0.0/16",)))


def test_it_is_the_kubelet_of_a_computers_node_in_each_family_and_the_api_servers_service() -> None:
    nodes = {"a": ("192.0.2.10", "2001:db8::10"), "b": ("192.0.2.11", "2001:db8::11")}
    both = blocked(scene(("10.42.0.0/16", "fd42::/56"), nodes))
    assert [str(each) for each in both] == [
        "kubelet of node b (192.0.2.11:10250)",
        "kubelet of node b ([2001:db8::11]:10250)",
        SERVICE,
    ]
    assert [each.address for each in blocked(scene(("10.42.0.0/16",), nodes))] == ["192.0.2.11", "10.43.0.1"]


def test_an_api_server_stands_in_where_the_node_has_no_address_of_a_family() -> None:
    nodes = {"b": ("192.0.2.11",)}
    assert [str(each) for each in blocked(scene(("10.42.0.0/16", "fd42::/56"), nodes))] == [
        "kubelet of node b (192.0.2.11:10250)",
        "API server ([2001:db8::1]:6443)",
        SERVICE,
    ]
