"""What is read of a cluster that is not at rest. Whole looks are in the slow tiers."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pytest
from kubernetes import client

from probes.surroundings import COMPONENT, look_around, ready_pods
from tests.unit.probes.example import facts

NEW = client.V1Node(metadata=client.V1ObjectMeta(name="new"), status=client.V1NodeStatus(addresses=None))
"""A node that its cloud controller has not initialised yet."""
THEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class Cluster:
    """An API server with one node and two pods of web."""

    def list_node(self) -> Any:
        """Return the one that is new."""
        return SimpleNamespace(items=[NEW])

    def list_namespaced_pod(self, _namespace: str, label_selector: str) -> Any:
        """Return web's, of which the newer one is not ready yet."""
        made = [_pod("web-1", THEN, "True"), _pod("web-2", THEN + dt.timedelta(hours=1), "False")]
        return SimpleNamespace(items=made if f"{COMPONENT}=web" in label_selector else [])

    def list_namespaced_service(self, _namespace: str) -> Any:
        """Return none."""
        return SimpleNamespace(items=[])

    def list_namespaced_endpoint_slice(self, _namespace: str, label_selector: str) -> Any:
        """Return none of the API server's."""
        assert label_selector == "kubernetes.io/service-name=kubernetes"
        return SimpleNamespace(items=[])


def _pod(name: str, made: dt.datetime, ready: str) -> client.V1Pod:
    condition = client.V1PodCondition(type="Ready", status=ready)
    return client.V1Pod(
        metadata=client.V1ObjectMeta(name=name, creation_timestamp=made),
        status=client.V1PodStatus(conditions=[condition], pod_ip="10.42.0.7"),
    )


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> client.ApiClient:
    for kind in ("CoreV1Api", "DiscoveryV1Api"):
        monkeypatch.setattr(client, kind, lambda _api: Cluster())
    return client.ApiClient(client.Configuration(host="https://127.0.0.1:6443"))


def test_a_node_that_has_no_address_yet_is_there_without_one(api: client.ApiClient) -> None:
    assert look_around(api, facts()).nodes == {"new": ()}


def test_who_is_ready_is_asked_without_a_look_at_anything_else(
    api: client.ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of a run nothing else of the cluster counts, and so nothing else of it can end the run."""
    for other in ("list_node", "list_namespaced_service", "list_namespaced_endpoint_slice"):
        monkeypatch.delattr(Cluster, other)
    assert ready_pods(api, facts()) == {"web": "web-1"}
