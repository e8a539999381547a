"""How the stack finds a cluster that somebody else runs."""

from typing import Any

import pytest

from components.contracts import Cluster
from components.targets.existing import ExistingCluster
from stacks.target import ExistingTarget
from tests.unit.recorder import Registered, record

FACTS = {
    "kind": "existing",
    "kubeconfig": "clusters/one.yaml",
    "context": "one",
    "kubernetes_version": "1.36",
    "network": {
        "pods": ["10.42.0.0/16"],
        "services": ["10.43.0.0/16"],
        "nodes": ["10.10.0.0/24"],
        "api_servers": ["10.10.0.11:6443"],
    },
    "dns": {"addresses": ["169.254.20.10"]},
    "storage": {"storage_class": "local-path", "shared": False},
}


def reach(**changes: Any) -> tuple[Registered, Cluster]:
    """Return the provider and the contract of a cluster with these facts."""
    settings = ExistingTarget.model_validate({**FACTS, **changes})
    found: list[Cluster] = []
    recorded = record(lambda: found.append(ExistingCluster("cluster", settings).cluster))
    (provider,) = [item for item in recorded.seen if item.typ == "pulumi:providers:kubernetes"]
    return provider, found[0]


def test_the_provider_names_file_and_context_and_never_the_ambient_ones() -> None:
    """B004: what the operator's shell points at does not matter."""
    provider, _ = reach()
    assert provider.inputs["kubeconfig"] == "clusters/one.yaml"
    assert provider.inputs["context"] == "one"


def test_another_kubeconfig_for_the_same_cluster_is_the_same_cluster() -> None:
    """B001: a proxy, a renewed certificate or a new token replaces nothing."""
    before, _ = reach()
    after, _ = reach(kubeconfig="clusters/renewed.yaml")
    assert before.inputs["clusterIdentifier"] == after.inputs["clusterIdentifier"] == "existing:one"


def test_no_fact_about_the_cluster_changes_its_identity() -> None:
    """B002: an upgrade or another node range is an update of the provider, so its objects stay."""
    upgraded, _ = reach(kubernetes_version="1.37", storage={"storage_class": "other"})
    assert upgraded.inputs["clusterIdentifier"] == "existing:one"


def test_another_context_is_another_cluster() -> None:
    """B001: else objects of one cluster would be taken for those of the next."""
    other, _ = reach(context="two")
    assert other.inputs["clusterIdentifier"] == "existing:two"


def test_nothing_else_is_set_on_the_provider() -> None:
    """B004: server-side apply and the refusal to take over existing objects stay as they are."""
    provider, _ = reach()
    assert set(provider.inputs) == {"kubeconfig", "context", "clusterIdentifier"}


def test_the_facts_arrive_unchanged() -> None:
    """B075: resolver addresses and ranges are what policies are made of."""
    _, cluster = reach()
    assert cluster.kubernetes_version == (1, 36)
    assert cluster.network.pods == ("10.42.0.0/16",)
    assert cluster.network.services == ("10.43.0.0/16",)
    assert cluster.network.nodes == ("10.10.0.0/24",)
    assert cluster.network.api_servers == ("10.10.0.11:6443",)
    assert cluster.dns.namespace == "kube-system"
    assert cluster.dns.pod_labels == (("k8s-app", "kube-dns"),)
    assert cluster.dns.addresses == ("169.254.20.10",)
    assert cluster.storage.storage_class == "local-path"
    assert cluster.storage.shared is False


@pytest.mark.parametrize(("version", "mutates"), [("1.35", False), ("1.36", True), ("1.40", True)])
def test_the_start_up_window_can_be_closed_from_136_on(version: str, mutates: bool) -> None:
    """B066: the API that closes it is off by default before."""
    _, cluster = reach(kubernetes_version=version)
    assert cluster.mutates_admission is mutates
