"""Where Cilium enforces policies: what blocks of addresses cannot say is said by identity. No Cilium has read it."""

from dataclasses import replace
from typing import Any

import pulumi
import pytest

from components.contracts import Network
from tests.unit.policies import selects
from tests.unit.rakazo.surroundings import APPLICATION, NETWORK, declare_network, labels
from tests.unit.recorder import Recorder, record


def on_cilium(network: Network = NETWORK) -> Recorder:
    return record(lambda: declare_network(replace(network, cilium=True)))


def rules(recorder: Recorder) -> dict[str, dict[str, Any]]:
    return {item.metadata["name"]: item.inputs["spec"] for item in recorder.of_kind("CiliumNetworkPolicy")}


@pytest.mark.parametrize(
    ("component", "allowed"), [("api", True), ("worker", True), ("web", False), ("postgres", False)]
)
def test_api_and_worker_reach_the_api_wherever_it_is(component: str, allowed: bool) -> None:
    """B071: no block of addresses matches it there, and the rules with blocks would silently do nothing."""
    spec = rules(on_cilium())["kubernetes-api-by-identity"]
    assert spec["egress"] == [{"toEntities": ["kube-apiserver"]}]
    assert selects(spec["endpointSelector"], labels(component)) is allowed


@pytest.mark.parametrize(("component", "port"), [("api", "3100"), ("web", "5173")])
def test_nodes_reach_what_their_ports_forward_to_and_nothing_else(component: str, port: str) -> None:
    """B077: a probe or a node's port that comes from another node is an identity, not an address."""
    spec = rules(on_cilium())[f"{component}-from-nodes-by-identity"]
    assert spec["ingress"] == [
        {"fromEntities": ["host", "remote-node"], "toPorts": [{"ports": [{"port": port, "protocol": "TCP"}]}]}
    ]
    assert selects(spec["endpointSelector"], labels(component))
    assert not selects(spec["endpointSelector"], labels("postgres"))


def test_nothing_is_opened_for_computers() -> None:
    """B071: an identity that a computer could use would be a way around every denied range."""
    assert {item.namespace for item in on_cilium().of_kind("CiliumNetworkPolicy")} == {APPLICATION}
    assert not any("world" in str(spec) or "all" in str(spec.get("egress")) for spec in rules(on_cilium()).values())


def test_elsewhere_the_kind_is_not_used() -> None:
    """Clusters without Cilium have no such kind, and would refuse it."""
    assert rules(record(declare_network)) == {}


def test_every_rule_waits_until_its_namespace_is_closed() -> None:
    recorder = on_cilium()
    (closed,) = [
        item.urn
        for item in recorder.of_kind("NetworkPolicy")
        if item.metadata["name"] == "deny-all" and item.namespace == APPLICATION
    ]
    assert all(closed in item.dependencies for item in recorder.of_kind("CiliumNetworkPolicy"))


def test_endpoints_that_are_known_late_are_in_the_rules_and_among_what_is_denied() -> None:
    late = replace(NETWORK, api_servers=(), late_api_servers=None)

    def program() -> None:
        known = pulumi.Output.from_input(("192.175.48.10:443", "10.124.0.0/20:443"))
        declare_network(replace(late, late_api_servers=known))

    recorder = record(program)
    spec = recorder.only("NetworkPolicy", name="kubernetes-api").inputs["spec"]
    reached = [(rule["to"][0]["ipBlock"]["cidr"], rule["ports"][0]["port"]) for rule in spec["egress"][1:]]
    assert reached == [("192.175.48.10/32", 443), ("10.124.0.0/20", 443)]
    (block,) = recorder.only("NetworkPolicy", name="public-internet").inputs["spec"]["egress"][0]["to"]
    assert "192.175.48.10/32" in block["ipBlock"]["except"]
