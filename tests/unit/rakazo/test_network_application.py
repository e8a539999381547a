"""Whom Rakazo's own services reach and who reaches them, by what the policies say."""

import pytest

from tests.unit.policies import Host, Pod, Policies
from tests.unit.rakazo import surroundings
from tests.unit.rakazo.parties import (
    API,
    COMPUTER,
    METADATA,
    MIGRATE,
    NODE,
    POSTGRES,
    PUBLIC,
    RAKAZO,
    RESOLVER,
    STRANGER,
    UNKNOWN_IN_APPLICATION,
    WEB,
    WORKER,
    policies,
)
from tests.unit.recorder import Recorder, record


@pytest.fixture(scope="module")
def recorded() -> Recorder:
    return record(surroundings.declare_network)


@pytest.fixture(scope="module")
def cluster(recorded: Recorder) -> Policies:
    return policies(recorded)


@pytest.mark.parametrize("client", [API, WORKER, MIGRATE], ids=["api", "worker", "migrate"])
def test_the_database_is_reached_by_those_who_hold_its_password(cluster: Policies, client: Pod) -> None:
    """B070: the policy names the container's port, which is the Service's as well."""
    assert cluster.connects(client, POSTGRES, 5432)


@pytest.mark.parametrize("client", [WEB, COMPUTER, STRANGER, UNKNOWN_IN_APPLICATION, NODE, PUBLIC])
def test_the_database_is_reached_by_nobody_else(cluster: Policies, client: Pod | Host) -> None:
    assert not cluster.connects(client, POSTGRES, 5432)


@pytest.mark.parametrize("target", [RESOLVER, API, WEB, COMPUTER, PUBLIC, NODE])
def test_the_database_connects_to_nobody(cluster: Policies, target: Pod | Host) -> None:
    for port in (53, 80, 443, 3100, 5173, 6080):
        assert not cluster.connects(POSTGRES, target, port)


def test_web_calls_api_and_nobody_else_does(cluster: Policies) -> None:
    assert cluster.connects(WEB, API, 3100)
    assert not cluster.connects(WEB, API, 3101)
    for caller in (WORKER, MIGRATE, POSTGRES, COMPUTER, STRANGER, UNKNOWN_IN_APPLICATION):
        assert not cluster.connects(caller, API, 3100)


@pytest.mark.parametrize(("server", "port"), [(API, 3100), (WEB, 5173)], ids=["api", "web"])
def test_nodes_probe_api_and_web_and_the_world_does_not_reach_them(cluster: Policies, server: Pod, port: int) -> None:
    """B077: some plugins do not exempt a node's own probes from the policy."""
    assert cluster.connects(NODE, server, port)
    assert cluster.connects(Host("192.175.48.7"), server, port)
    assert not cluster.connects(NODE, server, port + 1)
    assert not cluster.connects(Host("10.99.0.10"), server, port)
    assert not cluster.connects(PUBLIC, server, port)


@pytest.mark.parametrize("caller", [API, WORKER], ids=["api", "worker"])
def test_api_and_worker_reach_the_kubernetes_api_before_and_behind_its_service(cluster: Policies, caller: Pod) -> None:
    """B130: plugins judge the Service's address or the server's, so both are open, on their own ports."""
    for address, port in (("10.43.0.1", 443), ("10.10.0.11", 6443), ("192.175.48.9", 6443)):
        assert cluster.connects(caller, Host(address), port)
    for address, port in (("10.43.0.1", 6443), ("10.43.0.2", 443), ("10.10.0.12", 6443), ("10.10.0.11", 10250)):
        assert not cluster.connects(caller, Host(address), port)


@pytest.mark.parametrize("caller", [WEB, POSTGRES, MIGRATE, COMPUTER], ids=["web", "postgres", "migrate", "computer"])
def test_nobody_else_reaches_the_kubernetes_api(cluster: Policies, caller: Pod) -> None:
    for address, port in (("10.43.0.1", 443), ("10.10.0.11", 6443), ("192.175.48.9", 6443)):
        assert not cluster.connects(caller, Host(address), port)


def test_api_and_worker_call_providers_over_https_alone(cluster: Policies) -> None:
    for caller in (API, WORKER):
        assert cluster.connects(caller, PUBLIC, 443)
        assert not cluster.connects(caller, PUBLIC, 80)
    for caller in (WEB, POSTGRES, MIGRATE):
        assert not cluster.connects(caller, PUBLIC, 443)


@pytest.mark.parametrize("address", METADATA)
@pytest.mark.parametrize("caller", list(RAKAZO.values()), ids=list(RAKAZO))
def test_no_service_of_rakazo_reaches_a_metadata_service(cluster: Policies, caller: Pod, address: str) -> None:
    """B083: whoever talks to computers for people can be talked into asking for a cloud's credentials."""
    for port in (80, 443, 988):
        assert not cluster.connects(caller, Host(address), port)
