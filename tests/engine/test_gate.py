"""The way in exists only behind a proof, with the real engine and a real broken claim: a handler that is runc."""

import json
from collections.abc import Iterator

import pytest
import requests
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from local.cluster.node_programs import FALSE_HANDLER
from local.stack.deployment import Deployment
from local.stack.kubernetes_client import api_client
from local.stack.pulumi import Outcome
from local.stack.rakazo_client import RakazoClient
from tests.clusters import EmbeddedCluster
from tests.deployments import deployment

STACK = "gate"
BROKEN = {"runtime.handler": FALSE_HANDLER}
CLOSED = 502
"""What the door on the loopback address says when nothing listens at the node port behind it."""


@pytest.fixture
def made(cluster: EmbeddedCluster) -> Iterator[Deployment]:
    first = deployment(cluster.name, stack=STACK)
    yield first
    first.prepare().must("destroy", "--yes", "--skip-preview", "--suppress-progress")


def ways_in(made: Deployment) -> list[str]:
    services = client.CoreV1Api(api_client(made.folder.kubeconfig)).list_namespaced_service("rakazo").items
    return [service.metadata.name for service in services if service.spec.type == "NodePort"]


def assert_closed(cluster: EmbeddedCluster, made: Deployment, outcome: Outcome) -> None:
    """`up` failed and named the claim, the application runs, and nobody gets in."""
    assert outcome.code != 0, outcome.output
    for part in ("kernel-runtime (failed)", "remedy:", "rakazo-infra verify --only kernel-runtime"):
        assert part in outcome.output, outcome.output
    assert ways_in(made) == []
    assert requests.get(f"{cluster.url}/health", timeout=20).status_code == CLOSED
    pods = client.CoreV1Api(api_client(made.folder.kubeconfig)).list_namespaced_pod("rakazo").items
    assert {pod.status.phase for pod in pods} <= {"Running", "Succeeded"}
    assert len(pods) >= 5


def test_the_way_in_opens_behind_a_proof_and_closes_before_the_next(cluster: EmbeddedCluster, made: Deployment) -> None:
    """B045, B084: from a failing first day over a mend and a relapse to a gate that only reports."""
    assert_closed(cluster, made, deployment(cluster.name, stack=STACK, changes=BROKEN).up())

    mended = made.up()
    assert mended.code == 0, mended.output
    assert "claims proven" in mended.output
    assert len(ways_in(made)) == 2
    assert RakazoClient(cluster.url).wait_healthy()["ok"] is True

    again = made.prepare().run("preview", "--expect-no-changes")
    assert again.code == 0, again.output

    assert_closed(cluster, made, deployment(cluster.name, stack=STACK, changes=BROKEN).up())

    reported = deployment(cluster.name, stack=STACK, changes={**BROKEN, "proof.gate": "report"}).up()
    assert reported.code == 0, reported.output
    assert "settings.proof.gate is report" in reported.output
    assert RakazoClient(cluster.url).wait_healthy()["ok"] is True
    outputs = json.loads(made.prepare().must("stack", "output", "--json"))
    assert outputs["isolation"].startswith("NOT ENFORCED")


def test_a_preview_needs_no_cluster_for_the_gate(made: Deployment) -> None:
    """CI previews without a way to the cluster; the hook does not run in a preview."""
    prepared = made.prepare()
    shown = prepared.run("preview", "--json")
    assert shown.code == 0, shown.output
    with pytest.raises(ApiException):
        client.CoreV1Api(api_client(made.folder.kubeconfig)).read_namespaced_config_map("rakazo-isolation", "rakazo")
