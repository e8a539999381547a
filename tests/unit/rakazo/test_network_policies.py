"""What a computer reaches and who reaches it, by what the policies say.

That a network plugin enforces them is shown from inside pods, by the isolation tier.
"""

from typing import Any

import pytest

from components.contracts import Dns
from tests.unit.policies import NAMESPACE_NAME, Host, Pod, Policies
from tests.unit.rakazo import surroundings
from tests.unit.rakazo.parties import (
    API,
    COMPUTER,
    LABELLED_COMPUTER,
    METADATA,
    MIGRATE,
    NODE,
    OTHER_COMPUTER,
    POSTGRES,
    PUBLIC,
    RESOLVER,
    STRANGER,
    STRANGER_IN_DISGUISE,
    UNKNOWN_IN_APPLICATION,
    WEB,
    WORKER,
    policies,
)
from tests.unit.rakazo.surroundings import APPLICATION, COMPUTERS
from tests.unit.recorder import Recorder, record


@pytest.fixture(scope="module")
def recorded() -> Recorder:
    return record(surroundings.declare_network)


@pytest.fixture(scope="module")
def cluster(recorded: Recorder) -> Policies:
    return policies(recorded)


def policy(recorder: Recorder, namespace: str, name: str) -> dict[str, Any]:
    spec: dict[str, Any] = recorder.only("NetworkPolicy", namespace=namespace, name=name).inputs["spec"]
    return spec


@pytest.mark.parametrize("namespace", [APPLICATION, COMPUTERS])
def test_both_directions_of_every_pod_are_closed_unless_an_edge_opens_them(recorded: Recorder, namespace: str) -> None:
    """B130: policies exist without any setting, for whatever pods the namespace holds."""
    assert policy(recorded, namespace, "deny-all") == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


@pytest.mark.parametrize("port", [6080, 6100, 6101, 6150, 6199])
@pytest.mark.parametrize("caller", [API, WORKER, WEB], ids=["api", "worker", "web"])
def test_api_worker_and_web_open_every_display_of_a_computer(cluster: Policies, caller: Pod, port: int) -> None:
    """B080: the second bot of a team computer has its screen on the next port."""
    assert cluster.connects(caller, COMPUTER, port)


@pytest.mark.parametrize("port", [22, 5900, 6079, 6081, 6099, 6200, 7070, 9222])
@pytest.mark.parametrize("caller", [API, WORKER, WEB], ids=["api", "worker", "web"])
def test_nothing_else_of_a_computer_is_reachable(cluster: Policies, caller: Pod, port: int) -> None:
    """B080: the range ends where it is said to end."""
    assert not cluster.connects(caller, COMPUTER, port)


@pytest.mark.parametrize(
    "caller",
    [POSTGRES, MIGRATE, STRANGER, STRANGER_IN_DISGUISE, UNKNOWN_IN_APPLICATION, OTHER_COMPUTER, LABELLED_COMPUTER],
    ids=["postgres", "migrate", "stranger", "disguised", "unlabelled", "computer", "labelled-computer"],
)
def test_nobody_else_watches_a_computer(cluster: Policies, caller: Pod) -> None:
    """B078: callers are named by namespace and label, both from the constants that the pods carry."""
    assert not cluster.connects(caller, COMPUTER, 6080)
    assert not cluster.connects(caller, COMPUTER, 6100)


def test_the_public_and_the_nodes_do_not_watch_a_computer(cluster: Policies) -> None:
    assert not cluster.connects(PUBLIC, COMPUTER, 6080)
    assert not cluster.connects(NODE, COMPUTER, 6080)


def test_screens_have_one_peer_that_names_namespace_and_pods_together(recorded: Recorder) -> None:
    """B079: as two items they would mean either of the two."""
    (rule,) = policy(recorded, COMPUTERS, "screens-from-application")["ingress"]
    (peer,) = rule["from"]
    assert set(peer) == {"namespaceSelector", "podSelector"}
    assert peer["namespaceSelector"] == {"matchLabels": {NAMESPACE_NAME: APPLICATION}}


def test_splitting_the_peer_is_noticed(recorded: Recorder) -> None:
    """B079: the evaluator tells the two spellings apart, so the tests above could fail."""
    spec = policy(recorded, COMPUTERS, "screens-from-application")
    (rule,) = spec["ingress"]
    (peer,) = rule["from"]
    split = {**spec, "ingress": [{**rule, "from": [{key: value} for key, value in peer.items()]}]}
    broken = Policies(
        [
            {**item.inputs, "spec": split} if item.inputs["spec"] == spec else item.inputs
            for item in recorded.of_kind("NetworkPolicy")
        ]
    )
    assert broken.admits(COMPUTER, POSTGRES, 6080)
    assert broken.admits(COMPUTER, LABELLED_COMPUTER, 6080)
    assert not broken.admits(COMPUTER, STRANGER, 6080)


@pytest.mark.parametrize("protocol", ["UDP", "TCP"])
@pytest.mark.parametrize("source", [COMPUTER, API, WORKER, WEB, MIGRATE])
def test_names_resolve_over_both_protocols(cluster: Policies, source: Pod, protocol: str) -> None:
    """B075: the resolver is reached over UDP, and over TCP for long answers."""
    assert cluster.connects(source, RESOLVER, 53, protocol)


@pytest.mark.parametrize(
    ("source", "target", "port"),
    [
        (POSTGRES, RESOLVER, 53),
        (COMPUTER, RESOLVER, 9153),
        (COMPUTER, Pod("kube-system", {"k8s-app": "metrics-server"}), 53),
        (COMPUTER, Pod("elsewhere", {"k8s-app": "kube-dns"}), 53),
        (COMPUTER, Host("169.254.20.10"), 53),
        (COMPUTER, Host("10.10.0.1"), 53),
    ],
)
def test_only_the_clusters_resolver_is_asked_and_only_for_names(
    cluster: Policies, source: Pod, target: Pod | Host, port: int
) -> None:
    """B075: no rule says port 53 to anywhere."""
    assert not cluster.connects(source, target, port, "UDP")
    assert not cluster.connects(source, target, port, "TCP")


def test_a_node_local_cache_is_reached_and_its_neighbours_are_not() -> None:
    """B056: gVisor's packets to 169.254.20.10 meet the policy; the metadata service beside it stays closed."""
    cached = policies(record(lambda: surroundings.declare_network(dns=Dns(addresses=("169.254.20.10",)))))
    cache = Pod("kube-system", {"k8s-app": "node-local-dns"})
    for protocol in ("UDP", "TCP"):
        assert cached.connects(COMPUTER, Host("169.254.20.10"), 53, protocol)
        assert cached.connects(COMPUTER, cache, 53, protocol)
    assert not cached.connects(COMPUTER, Host("169.254.20.10"), 80)
    assert not cached.connects(COMPUTER, Host("169.254.169.254"), 53)


def test_a_resolver_on_the_metadata_address_opens_port_53_alone() -> None:
    """B058: Cloud DNS answers on 169.254.169.254; what else answers there stays closed."""
    cloud = policies(record(lambda: surroundings.declare_network(dns=Dns(addresses=("169.254.169.254",)))))
    assert cloud.connects(COMPUTER, Host("169.254.169.254"), 53, "UDP")
    assert not cloud.connects(COMPUTER, Host("169.254.169.254"), 80)


def test_a_computer_reaches_public_addresses_on_any_port(cluster: Policies) -> None:
    """C12: the internet is open, name look-ups are, and nothing that is private."""
    for port in (22, 80, 443, 8443):
        assert cluster.connects(COMPUTER, PUBLIC, port)
    assert cluster.connects(COMPUTER, Host("9.9.9.9"), 53, "UDP")


@pytest.mark.parametrize(
    "address",
    [
        *METADATA,
        "0.0.0.1",
        "10.99.0.10",
        "100.64.0.10",
        "127.0.0.1",
        "172.20.0.10",
        "192.168.99.10",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "10.43.0.1",
        "10.10.0.11",
        "192.175.48.7",
        "192.175.48.9",
    ],
)
def test_a_computer_reaches_no_private_address_and_nothing_of_the_cluster(cluster: Policies, address: str) -> None:
    """C13: also the public addresses of a node and of an API server, which no private range covers."""
    for port in (80, 443, 6443, 10250):
        assert not cluster.connects(COMPUTER, Host(address), port)


@pytest.mark.parametrize("target", [OTHER_COMPUTER, API, WORKER, WEB, POSTGRES, STRANGER])
def test_a_computer_reaches_no_pod(cluster: Policies, target: Pod) -> None:
    """B072: on many plugins an address block matches pods too, so the pod range is excepted from it."""
    for port in (53, 80, 443, 3100, 5173, 5432, 6080, 6100):
        assert not cluster.connects(COMPUTER, target, port)


def test_both_address_families_are_closed_where_pods_have_both() -> None:
    """B076: IPv6 has its own rule, whose exceptions are of its own family and strictly inside it."""
    dual = policies(record(lambda: surroundings.declare_network(surroundings.DUAL_STACK)))
    computer = Pod(COMPUTERS, {}, "fd00:42::7")
    assert dual.connects(computer, Host("2620:fe::9"), 443)
    for address in (
        "fd00:ec2::254",
        "fd20:ce::254",
        "fe80::1",
        "::1",
        "64:ff9b::a9fe:a9fe",
        "fd00:43::1",
        "2a01:4f8::11",
    ):
        assert not dual.connects(computer, Host(address), 443), address
    assert not dual.connects(API, Host("fd00:ec2::254"), 443)
    assert dual.connects(API, Host("2a01:4f8::11"), 6443)


def test_ipv6_stays_closed_where_pods_have_none(cluster: Policies) -> None:
    """B076: no rule for a family that nobody uses, since closed is what remains."""
    assert not cluster.connects(COMPUTER, Host("2620:fe::9"), 443)


def test_the_last_display_port_is_a_setting() -> None:
    """B080: a wider team computer needs more ports, and gets no more than it says."""
    wide = policies(record(lambda: surroundings.declare_network(last_display_port=6300)))
    assert wide.connects(WEB, COMPUTER, 6300)
    assert not wide.connects(WEB, COMPUTER, 6301)


def test_every_open_edge_waits_until_its_namespace_is_closed(recorded: Recorder) -> None:
    """B130: no moment in which a namespace has an allow without its deny."""
    closed = {item.urn for item in recorded.of_kind("NetworkPolicy") if item.metadata["name"] == "deny-all"}
    edges = [item for item in recorded.of_kind("NetworkPolicy") if item.metadata["name"] != "deny-all"]
    assert len(closed) == 2
    assert len(edges) == 13
    assert [item.name for item in edges if not closed <= item.dependencies] == []


def test_a_missing_egress_policy_is_noticed(recorded: Recorder) -> None:
    """B130: without deny-all and the public rule a computer reaches the metadata service."""
    lost = {"deny-all", "public-internet", "dns"}
    open_cluster = Policies(
        [item.inputs for item in recorded.of_kind("NetworkPolicy") if item.metadata["name"] not in lost]
    )
    assert open_cluster.connects(COMPUTER, Host("169.254.169.254"), 80)
