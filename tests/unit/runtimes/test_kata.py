"""Kata's class and the release that brings Kata to nodes; which kernel a pod then has is shown from inside one."""

import functools

import pytest

from components.contracts import Overhead, OwnNodes, Sandbox
from components.deployment import deploy
from components.runtimes.kata import Kata, KataArgs
from stacks.kata import KataChart
from stacks.runtime import KataRuntime, OverheadSettings
from stacks.settings import StackSettings
from tests.program.stack_files import facts_of
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.graph import everything_before
from tests.unit.recorder import Recorder, record
from tests.unit.stacks import server_stack

KATA = KataRuntime(kind="kata")
MACHINES = OwnNodes(distribution="k3s", computers=("m2", "m3"))
CLOUD = OwnNodes(distribution="k8s")


def declared(settings: KataRuntime = KATA, nodes: OwnNodes | None = MACHINES) -> tuple[Recorder, Sandbox]:
    found: list[Sandbox] = []

    def program() -> None:
        args = KataArgs(application_namespace="rakazo", settings=settings, nodes=nodes)
        found.append(Kata("runtime", args).sandbox)

    return record(program), found[0]


@functools.cache
def on_machines() -> tuple[Recorder, Sandbox]:
    return declared()


def test_the_chart_is_a_release_of_helm_pinned_and_in_one_place() -> None:
    """B005: a Release, since a Chart runs no hooks and reaches for the cluster in a preview."""
    (release,) = on_machines()[0].of_kind("Release")
    assert release.typ == "kubernetes:helm.sh/v3:Release"
    expected = {
        "name": "kata-deploy",
        "namespace": "kube-system",
        "chart": "oci://ghcr.io/kata-containers/kata-deploy-charts/kata-deploy",
        "version": "4.1.0",
        "timeout": 1800,
    }
    assert {key: release.inputs.get(key) for key in expected} == expected
    assert release.inputs["values"]["shims"]["qemu-runtime-rs"] == {"enabled": True}


def test_the_class_names_the_handler_that_the_chart_makes_and_what_a_machine_costs() -> None:
    """B064, B054: a handler of another name is known to nobody."""
    recorder, sandbox = on_machines()
    found = recorder.only("RuntimeClass", name="rakazo-kata").inputs
    assert found["handler"] == "kata-qemu-runtime-rs"
    assert found["overhead"] == {"podFixed": {"cpu": "250m", "memory": "320Mi"}}
    assert sandbox.overhead == Overhead(cpu="250m", memory="320Mi")
    assert sandbox.runtime == "kata"
    assert sandbox.runtime_class == "rakazo-kata"


def test_a_computer_waits_for_a_node_that_has_kata_already() -> None:
    """B047: only the class can say where Rakazo's pods go, and the contract has to say the same."""
    recorder, sandbox = on_machines()
    scheduling = recorder.only("RuntimeClass").inputs["scheduling"]
    assert scheduling["nodeSelector"] == {"rakazo-infra/pool": "computers", "katacontainers.io/kata-runtime": "true"}
    assert [taint["key"] for taint in scheduling["tolerations"]] == ["rakazo-infra/pool"]
    assert dict(sandbox.node_labels) == scheduling["nodeSelector"]
    assert sandbox.taints == ("rakazo-infra/pool",)


def test_the_class_comes_when_kata_is_there() -> None:
    recorder, _ = on_machines()
    assert "runtime-deploy" in everything_before(recorder, recorder.only("RuntimeClass"))


def test_who_takes_over_the_installer_on_a_clouds_node_has_that_node_alone() -> None:
    """The chart lets it patch every node and reach every kubelet; no policy may come after that right."""
    recorder, _ = declared(nodes=CLOUD)
    policies = {item.metadata["name"]: item.inputs["spec"] for item in recorder.of_kind("ValidatingAdmissionPolicy")}
    assert set(policies) == {"rakazo-kata-deploy", "rakazo-kata-deploy-kubelets"}
    for policy in policies.values():
        (condition,) = policy["matchConditions"]
        assert condition["expression"].endswith('== "system:serviceaccount:kube-system:kata-deploy-sa"')
        assert policy["failurePolicy"] == "Fail"
    (rule,) = policies["rakazo-kata-deploy-kubelets"]["matchConstraints"]["resourceRules"]
    assert (rule["resources"], rule["operations"]) == (["nodes/proxy"], ["CONNECT"])
    bindings = {item.inputs["spec"]["policyName"] for item in recorder.of_kind("ValidatingAdmissionPolicyBinding")}
    assert bindings == set(policies)
    (release,) = recorder.of_kind("Release")
    assert {"runtime-deploy-own-node", "runtime-deploy-own-node-kubelets"} <= everything_before(recorder, release)


def test_on_known_machines_nothing_stays_that_would_have_to_be_limited() -> None:
    assert on_machines()[0].of_kind("ValidatingAdmissionPolicy") == []


@pytest.mark.parametrize(
    ("settings", "handler"),
    [(KATA, "kata-qemu-runtime-rs"), (KataRuntime(kind="kata", handler="kata-clh"), "kata-clh")],
)
def test_on_somebody_elses_nodes_there_is_the_class_alone(settings: KataRuntime, handler: str) -> None:
    """A label of the chart is no promise there: whoever installed Kata may have done it otherwise."""
    recorder, sandbox = declared(settings, None)
    assert recorder.of_kind("Release") == []
    found = recorder.only("RuntimeClass").inputs
    assert found["handler"] == handler
    assert found["scheduling"]["nodeSelector"] == {"rakazo-infra/pool": "computers"}
    assert dict(sandbox.node_labels) == {"rakazo-infra/pool": "computers"}


@pytest.mark.parametrize(
    ("settings", "memory"),
    [
        (KataRuntime(kind="kata", shim="clh-runtime-rs"), "130Mi"),
        (KataRuntime(kind="kata", shim="dragonball"), "130Mi"),
        (KataRuntime(kind="kata", handler="kata-fc"), "130Mi"),
        (KataRuntime(kind="kata", handler="kata-qemu"), "320Mi"),
        (KataRuntime(kind="kata", handler="kata"), "320Mi"),
        (KataRuntime(kind="kata", overhead=OverheadSettings(cpu="250m", memory="160Mi")), "160Mi"),
    ],
)
def test_what_a_machine_costs_follows_from_its_hypervisor_unless_it_is_said(settings: KataRuntime, memory: str) -> None:
    """B064."""
    assert settings.cost == OverheadSettings(cpu="250m", memory=memory)


def test_the_chart_comes_from_a_mirror_when_there_is_one() -> None:
    settings = KataRuntime(
        kind="kata", chart=KataChart(version="4.2.0", repository="oci://registry.example.com:5000/charts")
    )
    (release,) = declared(settings)[0].of_kind("Release")
    assert release.inputs["chart"] == "oci://registry.example.com:5000/charts/kata-deploy"
    assert release.inputs["version"] == "4.2.0"


@functools.cache
def whole_stack() -> Recorder:
    """Return two machines over SSH whose computers went over from gVisor to Kata: its release is still written."""
    document = server_stack.document()
    document["runtime"] = {"kind": "kata"}
    settings = StackSettings.model_validate(document)
    return record(lambda: deploy(settings, secret_outputs(**secrets_of("server"))))


def test_on_machines_the_chart_goes_to_those_with_computers_once_they_are_nodes() -> None:
    """B054: k3s has a place of its own for what containerd is told. B004: through the stack's own provider."""
    (release,) = whole_stack().of_kind("Release")
    assert release.inputs["values"]["k8sDistribution"] == "k3s"
    assert release.inputs["values"]["job"]["nodes"] == ["rakazo-2"]
    (provider,) = [item for item in whole_stack().seen if item.typ == "pulumi:providers:kubernetes"]
    assert release.provider.startswith(f"{provider.urn}::")
    ready = {"cluster-rakazo-1-node-settle", "cluster-rakazo-2-node-settle"}
    assert ready <= everything_before(whole_stack(), provider)


def test_everything_that_computers_need_comes_after_kata() -> None:
    for item in whole_stack().of_kind("Deployment"):
        assert "kata-deploy" in everything_before(whole_stack(), item), item.name


def test_on_machines_there_is_no_gvisor_and_each_with_computers_has_to_virtualize() -> None:
    """B053."""
    delivered = {
        item.name: item.inputs["create"] for item in whole_stack().of_kind("Command") if item.name.endswith("-deliver")
    }
    assert len(delivered) == 2
    needs = {name for name, text in delivered.items() if "NEEDS_KVM=yes" in text}
    assert needs == {"cluster-rakazo-2-deliver"}
    assert [name for name, text in delivered.items() if "staged/gvisor/" in text] == []
    assert all("GVISOR_RELEASE=''" in text.replace("'\"'\"'", "'") for text in delivered.values())


def test_the_gate_is_told_what_it_has_to_find() -> None:
    facts = facts_of(whole_stack())
    assert facts.runtime == "kata"
    assert facts.runtime_class == "rakazo-kata"
    assert facts.node_labels["katacontainers.io/kata-runtime"] == "true"
