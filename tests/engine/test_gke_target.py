"""The target `gke`: a stand-in of Google's API, and an embedded cluster behind it that looks like Google's.

The tests are one life of a stack, in their order. Nothing is proven about Google beyond the stand-in's tables.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import yaml
from kubernetes import client
from rich.console import Console

from components.runtimes.managed import CLASS, POOL
from components.targets.gke.kubeconfig import PLUGIN
from local import cluster as embedded
from local.cluster import ClusterFolder, Layout, NodeLayout, Taint, addresses
from local.stack.kubernetes_client import api_client
from tests.cloud_credentials import CloudCredentials
from tests.cloud_stack import CloudStack, cloud_stack
from tests.expected_plan import check_plan
from tests.providers.gcp import Behind, GcpPackage, GoogleProject
from tests.providers.package import Package
from tests.public_authority import trust_embedded_authority
from tests.volume_driver import install_driver

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
NAME, HANDLER = "cloud-gke", "gvisor"
DRIVER = "pd.csi.storage.gke.io"
LIKE_GOOGLES = Layout(
    computers=NodeLayout(
        labels={POOL: CLASS}, taints=(Taint(key=POOL, value=CLASS),), pool_taint=False, handlers={HANDLER: "runsc"}
    )
)
RANGES = {
    "nodes": addresses.NODE_RANGE,
    "pods": addresses.POD_RANGE,
    "services": addresses.SERVICE_RANGE,
    "control_plane": "10.10.1.0/28",
}
"""The embedded cluster's, and one that is free."""


def sandboxed() -> None:
    """Put into the cluster what GKE puts there with the first pool that has the sandbox, and leaves there."""
    node = client.NodeV1Api(api_client(ClusterFolder(NAME).kubeconfig))
    if CLASS in [each.metadata.name for each in node.list_runtime_class().items]:
        return
    node.create_runtime_class(
        {
            "metadata": {"name": CLASS},
            "handler": HANDLER,
            "scheduling": {
                "nodeSelector": {POOL: CLASS},
                "tolerations": [{"key": POOL, "operator": "Equal", "value": CLASS, "effect": "NoSchedule"}],
            },
        }
    )


class Google:
    """The project, and the stack that is to come into it."""

    def __init__(self) -> None:
        self.project = GoogleProject()

    def packages(self, credentials: CloudCredentials) -> Sequence[Package]:
        endpoint = credentials.server.removeprefix("https://")
        self.project.behind = Behind(endpoint=endpoint, authority=credentials.authority, sandbox=sandboxed)
        install_driver(ClusterFolder(NAME).kubeconfig, DRIVER)
        return [GcpPackage(self.project)]


def start(name: str, console: Console) -> None:
    embedded.up(name, console, layout=LIKE_GOOGLES)


GOOGLE = Google()


@pytest.fixture(scope="module")
def cloud() -> Iterator[CloudStack]:
    settings = {"target.network": RANGES}
    with cloud_stack("gke", GOOGLE.packages, settings=settings, start=start) as made:
        trust_embedded_authority(made)
        made.put_exec_plugin(PLUGIN)
        yield made


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.location": "fsn1"}, "is neither a zone nor a region of Google Cloud"),
        ({"target.network": {**RANGES, "services": "34.118.224.0/20"}}, "lies outside 10.0.0.0/8"),
        ({"target.network": {**RANGES, "control_plane": "10.42.0.0/28"}}, "overlap"),
        ({"target.admin_cidrs": ["0.0.0.0/0"]}, "is everybody"),
        ({"target.computers": {"machine_type": "t2a-standard-8"}}, "has an Arm processor"),
        ({"target.shared_storage": True}, "the smallest Filestore has 100Gi"),
        ({"runtime.handler": "runsc"}, "GKE Sandbox brings its own"),
        ({"target.kubernetes_version": "1.37"}, "the channel REGULAR does not offer 1.37 there"),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    cloud: CloudStack, changes: dict[str, Any], says: str
) -> None:
    """B038, B049, B072, B094."""
    assert says in " ".join(cloud.refusal(changes).split())
    assert GOOGLE.project.summary() == {}


def test_one_command_makes_a_cluster_and_a_proven_rakazo_on_it(cloud: CloudStack) -> None:
    """B049, B051, B056: plain pods that name the class of GKE are isolated, and resolve names."""
    outcome = cloud.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "claims proven" in outcome.output
    print(f"{cloud.count()} resources, {len(GOOGLE.project.history)} of them at Google")
    assert GOOGLE.project.summary()["node pool"] == ["computers", "system"]


def test_what_is_up_needs_no_change(cloud: CloudStack) -> None:
    """B001."""
    outcome = cloud.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_what_google_tells_of_the_pool_that_is_gone_changes_nothing(cloud: CloudStack) -> None:
    """B095: a refresh finds another pool where the program described the first one; that must replace no cluster."""
    cloud.pulumi.must("refresh", "--yes", "--skip-preview", "--suppress-progress")
    outcome = cloud.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


OTHER_DIGEST = "localhost/rakazo-stand-in/app@sha256:" + "1" * 64


@pytest.mark.parametrize(
    ("change", "settings"),
    [
        ("node-size", {"target.computers": {"machine_type": "n2-standard-16", "minimum": 1, "maximum": 3}}),
        ("system-node-size", {"target.system": {"machine_type": "e2-standard-8", "count": 1}}),
        ("kubernetes-minor", {"target.kubernetes_version": "1.37"}),
        ("image-digest", {"images.app": OTHER_DIGEST}),
        ("admin-range", {"target.admin_cidrs": ["198.51.100.7/32"]}),
        ("replica-count", {"application.web_replicas": 3}),
        ("to-zero", {"target.computers": {"machine_type": "e2-standard-8", "minimum": 0, "maximum": 3}}),
    ],
)
def test_a_change_does_what_its_committed_plan_says_and_replaces_neither_cluster_nor_data(
    cloud: CloudStack, change: str, settings: dict[str, Any]
) -> None:
    """B002, B003, B095."""
    newest = GOOGLE.project.catalogue.newest
    before = newest["REGULAR"]
    newest["REGULAR"] = GOOGLE.project.catalogue.versions[0]
    try:
        check_plan("gke", change, cloud.plan(settings))
    finally:
        newest["REGULAR"] = before


def test_one_change_is_carried_out_as_planned(cloud: CloudStack) -> None:
    """B038: who is listed is let in, and nobody else."""
    cloud.write({"target.admin_cidrs": ["198.51.100.7/32"]})
    outcome = cloud.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "1 updated" in outcome.output or "~ 1" in outcome.output, outcome.output
    (cluster,) = GOOGLE.project.all("cluster").values()
    (block,) = cluster["masterAuthorizedNetworksConfig"]["cidrBlocks"]
    assert block["cidrBlock"] == "198.51.100.7/32"
    assert cluster["privateClusterConfig"]["enablePrivateEndpoint"] is False


def test_no_secret_and_no_credential_is_in_the_state_or_the_plan(cloud: CloudStack) -> None:
    """B008, B009, B098: the kubeconfig asks Google's program, and has no token."""
    assert cloud.leaks() == []
    shown = json.loads(cloud.pulumi.must("stack", "output", "--json", "--show-secrets"))
    (user,) = yaml.safe_load(shown["kubeconfig"])["users"]
    assert set(user["user"]) == {"exec"}


def test_a_protected_cluster_survives_a_destroy(cloud: CloudStack) -> None:
    """B003: its preview stops before anything at all is deleted."""
    before = GOOGLE.project.summary()
    outcome = cloud.pulumi.run("destroy", "--yes", "--suppress-progress")
    assert outcome.code != 0, outcome.output
    assert "protect" in outcome.output, outcome.output
    assert GOOGLE.project.summary() == before
    assert "rakazo" in cloud.credentials.namespaces()


def test_a_destroy_in_two_steps_leaves_nothing_in_the_project(cloud: CloudStack) -> None:
    """B011."""
    cloud.write({"target.admin_cidrs": ["198.51.100.7/32"], "target.protect": False})
    outcome = cloud.up()
    assert outcome.code == 0, outcome.diagnostics
    outcome = cloud.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert GOOGLE.project.summary() == {}
    assert [name for name in cloud.credentials.namespaces() if name.startswith("rakazo")] == []
