"""The target `eks` with Kata: a stand-in of AWS' API, an embedded cluster behind it, and a stand-in of kata-deploy.

The tests are one life of a stack, in their order. Kata itself cannot run here: there is no /dev/kvm, and its chart and
images cannot be had. The chart stands in a registry of the test and takes the real one's values alone; the handler of
Kata's name starts gVisor. So everything is shown but the virtual machine, which the gate has to miss: it does.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from kubernetes import client
from rich.console import Console

from components.runtimes.kata_chart import CHART, INSTALLED, NAMESPACE
from local import cluster as embedded
from local.cluster import ClusterFolder, Layout, NodeLayout
from local.stack.kubernetes_client import api_client
from probes.pods import Pods
from tests.chart_registry import ChartRegistry, chart_registry
from tests.deployments import image_references
from tests.eks_cloud import CHANGES, EksCloud, eks_cloud, keep_secrets, let_in_from_elsewhere, take_down
from tests.expected_plan import check_plan
from tests.providers.aws.catalogue import InstanceType

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
STACK, HANDLER = "eks-kata", "kata-qemu-runtime-rs"
CHART_FOLDER = Path(__file__).parents[1] / "charts" / CHART
LIKE_EKS = Layout(
    computers=NodeLayout(handlers={HANDLER: "runsc"}, containerd_config="/etc/containerd/config.toml"),
)
UNLIKE_ITS_FAMILY = "c7i.2xlarge"
MORE: Mapping[str, Mapping[str, Any]] = {"kubectl-image": {"runtime.chart.images.kubectl": "registry.test/kubectl:1"}}


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChartRegistry]:
    with chart_registry(tmp_path_factory.mktemp("registry"), CHART_FOLDER) as made:
        yield made


@pytest.fixture(scope="module")
def cloud(registry: ChartRegistry) -> Iterator[EksCloud]:
    def start(name: str, console: Console) -> None:
        embedded.up(name, console, layout=LIKE_EKS)

    image = image_references()["computer"]
    settings = {
        # Little: gVisor holds a pod to this and its limits together, a machine each container to its own limit.
        "runtime.overhead": {"cpu": "10m", "memory": "32Mi"},
        "runtime.chart": {"repository": registry.repository, "images": {"installer": image, "kubectl": image}},
        # With `enforce`, nothing behind the gate would ever be seen here.
        "proof.gate": "report",
    }
    with eks_cloud(STACK, settings, start) as made:
        made.stack.pulumi.environment["SSL_CERT_FILE"] = str(registry.authority)
        made.account.catalogue.types[UNLIKE_ITS_FAMILY] = InstanceType(8, 16)
        yield made


def in_the_cluster() -> client.ApiClient:
    return api_client(ClusterFolder(f"cloud-{STACK}").kubeconfig)


def labelled() -> list[str]:
    nodes = client.CoreV1Api(in_the_cluster()).list_node(label_selector=f"{INSTALLED}=true")
    return [str(node.metadata.name) for node in nodes.items]


def named_like_the_chart() -> set[str]:
    """Return what bears the chart's name, whoever made it and wherever it would stay behind."""
    api = in_the_cluster()
    core, rights = client.CoreV1Api(api), client.RbacAuthorizationV1Api(api)
    lists = (
        core.list_service_account_for_all_namespaces(),
        core.list_config_map_for_all_namespaces(),
        core.list_secret_for_all_namespaces(),
        client.AppsV1Api(api).list_daemon_set_for_all_namespaces(),
        client.BatchV1Api(api).list_job_for_all_namespaces(),
        rights.list_cluster_role(),
        rights.list_cluster_role_binding(),
    )
    names = (str(item.metadata.name) for found in lists for item in found.items)
    return {name for name in names if CHART in name}


def answer(method: str, path: str, body: object = None) -> str:
    """Return what the API says to the token that the installer leaves on a node of computers."""
    api = in_the_cluster()
    (pod,) = client.CoreV1Api(api).list_namespaced_pod(NAMESPACE, label_selector=f"name={CHART}").items
    program = "import sys; sys.path.insert(0, '/program'); import kata_node"
    asked = f"{program}; print(kata_node.ask{(method, path, body)!r})"
    return Pods(api, NAMESPACE).execute(pod.metadata.name, ["python3", "-c", asked]).output


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.computers.type": "m6a.2xlarge"}, "since AWS offers it with Intel's processors only"),
        ({"target.computers.type": UNLIKE_ITS_FAMILY}, "supported CPU features lack nested-virtualization"),
        ({"target.computers.minimum": 0}, "none would ever be added; write minimum: 1"),
        ({"runtime.handler": "kata-clh"}, f"what is installed here is known as {HANDLER}"),
        ({"runtime.chart.version": "4.0.0"}, "closes a hole that is public"),
        ({"runtime.chart.repository": "https://charts.test"}, "is not a repository"),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    cloud: EksCloud, changes: dict[str, Any], says: str
) -> None:
    """B052: asked of AWS, not of a list of families alone."""
    told = " ".join(cloud.stack.refusal(changes).split())
    assert says in told, told
    assert cloud.account.summary() == {}


def test_what_is_no_virtual_machine_does_not_pass_the_gate(cloud: EksCloud) -> None:
    """B054: everything is made, and stays closed because of that one claim alone."""
    cloud.stack.write({"proof.gate": "enforce"})
    outcome = cloud.stack.up()
    assert outcome.code != 0, outcome.output
    assert " 1 of " in outcome.output, outcome.diagnostics
    assert "kernel-runtime (failed): The kernel under a computer is a virtual machine's own." in outcome.output
    assert "the computer runs under gVisor although the settings say kata" in outcome.output
    services = client.CoreV1Api(in_the_cluster()).list_service_for_all_namespaces().items
    assert [item.metadata.name for item in services if item.spec.type == "NodePort"] == []


def test_the_rest_goes_on_from_there_when_the_gate_only_reports(cloud: EksCloud) -> None:
    """B064: the quota counts what a virtual machine takes; every other claim is proven."""
    cloud.stack.write()
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "settings.proof.gate is report, so the way in opens all the same. 1 of " in outcome.output
    print(f"{cloud.stack.count()} resources")


def test_computers_nodes_start_with_virtualization_inside_and_come_from_no_group_of_eks(cloud: EksCloud) -> None:
    """B052."""
    assert cloud.account.instances["rakazo-eks-kata-computers"]["cpuOptions"] == {"nestedVirtualization": "enabled"}
    assert len(cloud.account.all("node group")) == 1


def test_the_chart_is_installed_for_the_computers_nodes_and_makes_no_class_of_its_own(
    cloud: EksCloud, registry: ChartRegistry
) -> None:
    """Helm has compared the values with the schema, and the class of the stack is the only one of Kata's."""
    assert any(path.endswith(f"/{CHART}/manifests/4.1.0") for path in registry.asked)
    assert labelled() == ["computers"]
    classes = client.NodeV1Api(in_the_cluster()).list_runtime_class().items
    assert [item.metadata.name for item in classes if item.handler == HANDLER] == ["rakazo-kata"]


def test_who_takes_over_the_installer_changes_no_other_node_and_reaches_no_kubelet(cloud: EksCloud) -> None:
    """Its chart lets it do both: with that, one computer that breaks out would have every pod of the cluster."""
    own, other = "/api/v1/nodes/computers", "/api/v1/nodes/system"
    label = {"metadata": {"labels": {INSTALLED: "true"}}}
    assert "'kind': 'Node'" in answer("PATCH", own, label)
    assert "kata-deploy may label the node that it runs on, and no other" in answer("PATCH", other, label)
    assert "nor whether pods go there" in answer("PATCH", own, {"spec": {"unschedulable": True}})
    assert "kata-deploy may not reach a kubelet through the API" in answer("GET", f"{other}/proxy/configz")
    assert labelled() == ["computers"]


def test_what_is_up_needs_no_change(cloud: EksCloud) -> None:
    """B001."""
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.output


@pytest.mark.parametrize(("change", "settings"), [*CHANGES.items(), *MORE.items()])
def test_a_change_does_what_is_written_down_for_it_and_replaces_no_data(
    cloud: EksCloud, change: str, settings: Mapping[str, Any]
) -> None:
    """B002, B003: neither the cluster nor anything in it is made anew."""
    check_plan(STACK, change, cloud.stack.plan(settings))


def test_one_change_is_carried_out_as_planned(cloud: EksCloud) -> None:
    let_in_from_elsewhere(cloud)


def test_no_secret_and_no_token_is_in_the_state_or_the_plan(cloud: EksCloud) -> None:
    """B008, B009, B098: what Helm keeps of the release is in the cluster, not in the state."""
    keep_secrets(cloud)


def test_destroy_leaves_nothing_in_the_account_and_nothing_of_the_chart_in_the_cluster(cloud: EksCloud) -> None:
    """B011, B089: the chart's last rights go by a hook, after the pods that need them."""
    assert {"kata-deploy", "kata-deploy-role"} <= named_like_the_chart()
    take_down(cloud)
    assert named_like_the_chart() == set()
    assert labelled() == []
