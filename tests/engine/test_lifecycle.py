"""The real CLI against the real API: a first day behind a closed gate, up, no change, one change, destroy.

The broken claim is real: a handler that is runc. Nothing here is proven about a cloud.
"""

import base64
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

import pytest
import requests
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from local.cluster.node_programs import FALSE_HANDLER
from local.stack.deployment import Deployment
from local.stack.kubernetes_client import api_client
from local.stack.pulumi import Outcome, Pulumi
from local.stack.rakazo_client import RakazoClient
from operations.secrets import generate
from tests.clusters import EmbeddedCluster
from tests.deployments import Deployed, deployment, steps
from tests.rakazo_account import as_computer, as_rakazo

APPLICATION, COMPUTERS = "engine", "engine-computers"
CHANGES = {
    "application.namespace": APPLICATION,
    "application.computers_namespace": COMPUTERS,
}
THREE = {"application.web_replicas": 3}
BROKEN = {"runtime.handler": FALSE_HANDLER}
CLOSED = 502
"""What the door on the loopback address says when nothing listens at the node port behind it."""
VOLUMES_GONE_SECONDS = 60.0
OURS = f"app.kubernetes.io/managed-by=rakazo-infra,app.kubernetes.io/instance={APPLICATION}"


@pytest.fixture(scope="module")
def made(cluster: EmbeddedCluster) -> Iterator[Deployment]:
    """A second stack on the test's cluster, with names of its own; destroyed at the end whatever happened."""
    stack = changed(cluster.name)
    yield stack
    stack.prepare().run("destroy", "--yes", "--skip-preview")


def changed(name: str, changes: Mapping[str, object] = MappingProxyType({})) -> Deployment:
    """Return the stack, not yet up, with other settings."""
    return deployment(name, stack="engine", changes={**CHANGES, **changes})


@pytest.fixture(scope="module")
def pulumi(made: Deployment) -> Pulumi:
    """The CLI on the stack after its first proven `up`."""
    cli = made.prepare()
    assert "claims proven" in cli.must("up", "--yes", "--skip-preview")
    return cli


def volumes(core: client.CoreV1Api) -> list[str]:
    """Return the stack's volumes: a provisioner makes them, so they carry no label of ours but the claim's place."""
    claims = [(each.metadata.name, each.spec.claim_ref) for each in core.list_persistent_volume().items]
    return [name for name, claim in claims if claim and claim.namespace in (APPLICATION, COMPUTERS)]


def remains(kubeconfig: Path) -> list[str]:
    """Return every object of ours that the API still has."""
    api = api_client(kubeconfig)
    core, storage = client.CoreV1Api(api), client.CustomObjectsApi(api)
    found = [f"namespace {each.metadata.name}" for each in core.list_namespace(label_selector=OURS).items]
    found += [f"volume {name}" for name in volumes(core)]
    for plural in (
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
        "mutatingadmissionpolicies",
        "mutatingadmissionpolicybindings",
    ):
        items = storage.list_cluster_custom_object("admissionregistration.k8s.io", "v1", plural, label_selector=OURS)
        found += [f"{plural} {each['metadata']['name']}" for each in items["items"]]
    classes = client.NodeV1Api(api).list_runtime_class(label_selector=OURS).items
    return found + [f"runtime class {each.metadata.name}" for each in classes]


def ways_in(made: Deployment) -> list[str]:
    """Return the names of the services through which people come in."""
    services = client.CoreV1Api(api_client(made.folder.kubeconfig)).list_namespaced_service(APPLICATION).items
    return [service.metadata.name for service in services if service.spec.type == "NodePort"]


def assert_closed(url: str, made: Deployment, outcome: Outcome) -> None:
    """`up` failed and named the claim, the application runs, and nobody gets in."""
    assert outcome.code != 0, outcome.output
    for part in ("kernel-runtime (failed)", "remedy:", "rakazo-infra verify --only kernel-runtime"):
        assert part in outcome.output, outcome.output
    assert ways_in(made) == []
    assert requests.get(f"{url}/health", timeout=20).status_code == CLOSED
    pods = client.CoreV1Api(api_client(made.folder.kubeconfig)).list_namespaced_pod(APPLICATION).items
    assert {pod.status.phase for pod in pods} <= {"Running", "Succeeded"}
    assert len(pods) >= 5


def test_a_preview_needs_no_cluster_for_the_gate(made: Deployment) -> None:
    """CI previews without a way to the cluster; the hook does not run in a preview."""
    shown = made.prepare().run("preview", "--json")
    assert shown.code == 0, shown.output
    with pytest.raises(ApiException):
        client.CoreV1Api(api_client(made.folder.kubeconfig)).read_namespaced_config_map("rakazo-isolation", APPLICATION)


def test_the_way_in_stays_closed_on_a_first_day_without_a_proof(cluster: EmbeddedCluster, made: Deployment) -> None:
    """B045: the stack is up in all that makes it, and nobody gets in."""
    assert_closed(cluster.url, made, changed(cluster.name, BROKEN).up())


def test_the_way_in_opens_behind_a_proof(cluster: EmbeddedCluster, made: Deployment, pulumi: Pulumi) -> None:
    """The handler that was mended is a RuntimeClass that was replaced, and the claims were proven again."""
    assert len(ways_in(made)) == 2
    assert RakazoClient(cluster.url).wait_healthy()["ok"] is True


def test_what_is_up_needs_no_change(pulumi: Pulumi) -> None:
    """B001, B002: a second preview of the same settings is empty."""
    outcome = pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_kata_on_a_cluster_that_has_it_is_a_class_and_nothing_is_installed(
    cluster: EmbeddedCluster, pulumi: Pulumi
) -> None:
    """The API server takes the class before it is made; nodes without the handler would be found by the gate."""
    kata = {"runtime": {"kind": "kata", "handler": "kata-qemu"}}
    plan = steps(changed(cluster.name, kata).prepare().must("preview", "--json"))
    changed(cluster.name).prepare()
    assert plan["create"] == ["kata", "kata"], "the component and the class, and no release of Helm"
    assert plan["delete"] == ["gvisor", "gvisor"]


def test_no_secret_value_is_in_the_state_the_plan_or_a_spec(pulumi: Pulumi, made: Deployment) -> None:
    """B008, B009: every secret's value, plain, in base64 and as part of a URL, is looked for everywhere."""
    api = api_client(made.folder.kubeconfig)
    texts = {
        "state": pulumi.must("stack", "export"),
        "plan": pulumi.must("preview", "--json"),
        "pods": json.dumps(api.sanitize_for_serialization(client.CoreV1Api(api).list_namespaced_pod(APPLICATION))),
        "events": json.dumps(api.sanitize_for_serialization(client.CoreV1Api(api).list_namespaced_event(APPLICATION))),
        "configmaps": json.dumps(
            api.sanitize_for_serialization(client.CoreV1Api(api).list_namespaced_config_map(APPLICATION))
        ),
        "files": "".join(file.read_text() for file in made.folder.state.rglob("*.json")),
    }
    used = {key: pulumi.must("config", "get", key).strip() for key in made.secrets}
    leaks = [
        f"{key} in {where}"
        for key, value in used.items()
        for form in (value, base64.b64encode(value.encode()).decode(), quote(value, safe=""))
        for where, text in texts.items()
        if form in text
    ]
    assert leaks == []
    annotated = client.CoreV1Api(api).list_namespaced_secret(APPLICATION).items
    assert annotated, "no Secret was made, so nothing was looked at"
    last_applied = "kubectl.kubernetes.io/last-applied-configuration"
    assert [s.metadata.name for s in annotated if last_applied in (s.metadata.annotations or {})] == []


def test_one_changed_setting_is_one_update(pulumi: Pulumi, made: Deployment) -> None:
    """Web's replicas change: web's Deployment is updated, and nothing else is touched."""
    changed(made.folder.name, THREE).prepare()
    plan = steps(pulumi.must("preview", "--json"))
    assert plan == {"update": ["rakazo-web"]}, plan
    pulumi.must("up", "--yes", "--skip-preview")
    scale = client.AppsV1Api(api_client(made.folder.kubeconfig)).read_namespaced_deployment("rakazo-web", APPLICATION)
    assert scale.status.ready_replicas == 3


def test_a_changed_setting_rolls_the_pods_that_read_it_and_no_other(pulumi: Pulumi, made: Deployment) -> None:
    """B125: only api reads who may sign up, so only api is updated."""
    changed(made.folder.name, {**THREE, "application.signup_allowlist": ["@example.org"]}).prepare()
    plan = steps(pulumi.must("preview", "--json"))
    assert plan == {"update": ["rakazo-api"]}, plan


def plan_with_another(pulumi: Pulumi, made: Deployment, key: str) -> dict[str, list[str]]:
    """Preview the stack with another value of one secret, and put the old one back."""
    changed(made.folder.name, THREE).prepare()
    before = pulumi.must("config", "get", key).strip()
    pulumi.must("config", "set", "--secret", key, stdin=generate()[key])
    try:
        return steps(pulumi.must("preview", "--json"))
    finally:
        pulumi.must("config", "set", "--secret", key, stdin=before)


def test_a_changed_secret_rolls_the_pods_that_read_it_and_no_other(pulumi: Pulumi, made: Deployment) -> None:
    """B122: api and web share the screen secret; worker, Postgres and the migration do not even see it."""
    plan = plan_with_another(pulumi, made, "rakazo:screen_proxy_secret")
    touched = sorted(name for names in plan.values() for name in names)
    assert touched == ["rakazo-api", "rakazo-secrets-api", "rakazo-secrets-web", "rakazo-web"], plan
    assert "delete" not in plan


def test_another_encryption_key_is_never_rolled_out(pulumi: Pulumi, made: Deployment) -> None:
    """B122: with another key everything that Rakazo stored encrypted would be unreadable."""
    assert plan_with_another(pulumi, made, "rakazo:encryption_key") == {}


@pytest.mark.usefixtures("pulumi")
def test_the_way_in_closes_before_the_next_proof(cluster: EmbeddedCluster, made: Deployment) -> None:
    """B084: a relapse closes the way in that existed."""
    assert_closed(cluster.url, made, changed(cluster.name, {**THREE, **BROKEN}).up())


def test_a_gate_that_only_reports_opens_and_says_so(cluster: EmbeddedCluster, pulumi: Pulumi) -> None:
    """Whoever lets people in without a proof finds it in the stack's outputs."""
    reported = changed(cluster.name, {**THREE, **BROKEN, "proof.gate": "report"}).up()
    assert reported.code == 0, reported.output
    assert "settings.proof.gate is report" in reported.output
    assert RakazoClient(cluster.url).wait_healthy()["ok"] is True
    outputs = json.loads(pulumi.must("stack", "output", "--json"))
    assert outputs["isolation"].startswith("NOT ENFORCED")


def test_destroy_leaves_nothing_of_ours(pulumi: Pulumi, made: Deployment) -> None:
    """B011: also with pods in the computers' namespace that Pulumi does not know."""
    stack = Deployed(deployment=made, url="", application=APPLICATION, computers=COMPUTERS)
    for number in range(3):
        as_rakazo(stack).create(as_computer(f"unknown-{number}", stack))
    core = client.CoreV1Api(api_client(made.folder.kubeconfig))
    assert len(volumes(core)) == 2, "Postgres' volume and the data volume are what has to be gone afterwards"
    outcome = pulumi.run("destroy", "--yes", "--skip-preview")
    assert outcome.code == 0, outcome.diagnostics
    # The provisioner removes a volume's folder after its claim is gone, and the volume after the folder.
    deadline = time.monotonic() + VOLUMES_GONE_SECONDS
    while volumes(core) and time.monotonic() < deadline:
        time.sleep(0.5)
    assert remains(made.folder.kubeconfig) == []
