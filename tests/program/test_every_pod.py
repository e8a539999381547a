"""What holds for every pod of every committed stack file, and for the connections between them."""

import re
from typing import Any

import pytest

from components.runtimes.managed import CLASS
from stacks.settings import StackSettings
from tests.program.stack_files import STACK_FILES, containers, facts_of, pods
from tests.unit.policies import Host, Pod, Policies
from tests.unit.recorder import Recorder

assert STACK_FILES, "no stack file was found, so nothing would be tested"

COMPONENT = "app.kubernetes.io/component"
USES_KUBERNETES = {"api", "worker"}


def variables(recorder: Recorder, component: str) -> dict[str, Any]:
    (spec,) = [spec for _, spec, labels in pods(recorder) if labels[COMPONENT] == component]
    return {item["name"]: item.get("value") for item in spec["containers"][0].get("env", [])}


def test_all_five_services_are_there_and_what_brings_their_image(recorded: Recorder) -> None:
    """Else every rule below would hold for nothing."""
    assert sorted(labels[COMPONENT] for _, _, labels in pods(recorded)) == [
        "api",
        "migrate",
        "postgres",
        "prepull",
        "web",
        "worker",
    ]


def test_every_container_runs_without_root_capabilities_or_a_writable_root(recorded: Recorder) -> None:
    for workload, spec, _ in pods(recorded):
        shared = spec["securityContext"]
        assert shared["runAsNonRoot"] is True, workload.urn
        assert shared["runAsUser"] > 0, workload.urn
        assert shared["seccompProfile"] == {"type": "RuntimeDefault"}, workload.urn
        for container in containers(spec):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
                "readOnlyRootFilesystem": True,
            }, f"{workload.urn} {container['name']}"


def test_no_pod_shares_anything_with_its_node(recorded: Recorder) -> None:
    for workload, spec, _ in pods(recorded):
        assert not {"hostNetwork", "hostPID", "hostIPC", "nodeName"} & set(spec), workload.urn
        assert [volume for volume in spec.get("volumes", []) if "hostPath" in volume] == [], workload.urn


def test_every_image_is_pinned_by_digest(recorded: Recorder) -> None:
    for workload, spec, _ in pods(recorded):
        for container in containers(spec):
            assert re.search(r"^[^:]+(:\d+/[^:]+)?@sha256:[0-9a-f]{64}$", container["image"]), workload.urn


def test_every_container_has_requests_and_limits(recorded: Recorder) -> None:
    for workload, spec, _ in pods(recorded):
        for container in containers(spec):
            for kind in ("requests", "limits"):
                assert {"cpu", "memory"} <= set(container["resources"][kind]), workload.urn


def test_no_pod_gets_the_addresses_of_services_as_variables(recorded: Recorder) -> None:
    """B101: a Service's variables overwrite what Rakazo takes for its own settings."""
    assert [item.urn for item, spec, _ in pods(recorded) if spec["enableServiceLinks"] is not False] == []


def test_api_and_worker_hold_a_token_and_nobody_else_does(recorded: Recorder, settings: StackSettings) -> None:
    """B104: whoever breaks into web gets no way to the Kubernetes API."""
    holders = {labels[COMPONENT] for _, spec, labels in pods(recorded) if spec["automountServiceAccountToken"]}
    assert holders == USES_KUBERNETES
    for workload, spec, labels in pods(recorded):
        assert ("serviceAccountName" in spec) == (labels[COMPONENT] in USES_KUBERNETES), workload.urn
    (account,) = [
        item for item in recorded.of_kind("ServiceAccount") if item.namespace == settings.application.namespace
    ]
    named = {spec["serviceAccountName"] for _, spec, _ in pods(recorded) if "serviceAccountName" in spec}
    assert named == {account.metadata["name"]}


@pytest.mark.parametrize("component", sorted(USES_KUBERNETES))
def test_rakazo_is_told_the_class_the_namespace_and_the_image_that_admission_demands(
    recorded: Recorder, settings: StackSettings, component: str
) -> None:
    """B047: values that only one of the two processes knows would make every second computer fail."""
    told = variables(recorded, component)
    assert told["SANDBOX_PROVIDER"] == "kubernetes"
    made = [item.metadata["name"] for item in recorded.of_kind("RuntimeClass")]
    assert told["KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME"] in (made or [CLASS])
    assert told["KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME"] == facts_of(recorded).runtime_class
    assert told["KUBERNETES_SANDBOX_NAMESPACE"] == settings.application.computers_namespace
    assert told["KUBERNETES_SANDBOX_COMPUTER_IMAGE"] == settings.images.computer
    rules = str(recorded.only("ValidatingAdmissionPolicy", name=f"{settings.application.namespace}-computers").inputs)
    for name in ("RUNTIME_CLASS_NAME", "COMPUTER_IMAGE"):
        assert f'"{told[f"KUBERNETES_SANDBOX_{name}"]}"' in rules


def test_api_and_worker_are_told_the_same_about_computers(recorded: Recorder) -> None:
    """B120: also the provider's name, without which computers are silently switched off."""
    api, worker = (
        {name: value for name, value in variables(recorded, component).items() if "SANDBOX" in name}
        for component in ("api", "worker")
    )
    assert api == worker
    assert "KUBERNETES_SANDBOX_NAMESPACE" in api


def test_limits_are_told_to_rakazo_unless_a_reserve_would_be_lost_by_it(
    recorded: Recorder, settings: StackSettings
) -> None:
    """B065: Kubernetes copies limits that a pod brings into its requests, and the reserve would not count."""
    for component in USES_KUBERNETES:
        told = {name for name, value in variables(recorded, component).items() if value is not None}
        named = {"KUBERNETES_SANDBOX_CPU_LIMIT", "KUBERNETES_SANDBOX_MEMORY_LIMIT"} & told
        assert len(named) == (2 if settings.computers.reserve is None else 0)


def reach(recorder: Recorder, settings: StackSettings) -> tuple[Policies, dict[str, Pod], Pod]:
    policies = Policies([item.inputs for item in recorder.of_kind("NetworkPolicy")])
    space = settings.application.namespace
    own = {labels[COMPONENT]: Pod(space, labels, "10.42.0.5") for _, _, labels in pods(recorder)}
    return policies, own, Pod(settings.application.computers_namespace, {}, "10.42.1.7")


def test_policies_select_the_labels_that_the_pods_really_carry(recorded: Recorder, settings: StackSettings) -> None:
    """B078: selectors and labels written in two places drift apart, and nothing connects."""
    policies, own, computer = reach(recorded, settings)
    for caller in ("api", "worker", "web"):
        assert policies.connects(own[caller], computer, 6080), caller
        assert policies.connects(own[caller], computer, settings.computers.last_screen_port), caller
    for caller in ("postgres", "migrate"):
        assert not policies.connects(own[caller], computer, 6080), caller
    for caller in ("api", "worker", "migrate"):
        assert policies.connects(own[caller], own["postgres"], 5432), caller
    assert policies.connects(own["web"], own["api"], 3100)
    assert not policies.connects(own["web"], own["postgres"], 5432)


def test_no_pod_of_any_stack_reaches_a_metadata_service(recorded: Recorder, settings: StackSettings) -> None:
    """B083: neither a computer nor a service that could be talked into it."""
    policies, own, computer = reach(recorded, settings)
    for pod in (*own.values(), computer):
        assert not policies.connects(pod, Host("169.254.169.254"), 80)
        assert not policies.connects(pod, Host("169.254.170.23"), 80)


def test_policies_name_ports_that_a_container_of_the_selected_pods_has(
    recorded: Recorder, settings: StackSettings
) -> None:
    """B070: a policy sees the container's port, whatever the Service calls it."""
    policies, own, _ = reach(recorded, settings)
    ports = {
        labels[COMPONENT]: {port["containerPort"] for port in spec["containers"][0].get("ports", [])}
        for _, spec, labels in pods(recorded)
    }
    assert ports["api"] == {3100}
    node = Host(facts_of(recorded).nodes[0].partition("/")[0])
    for component in ("api", "web"):
        (port,) = ports[component]
        assert policies.connects(node, own[component], port)
    (database,) = ports["postgres"]
    assert policies.connects(own["api"], own["postgres"], database)


def test_the_way_in_selects_pods_that_exist(recorded: Recorder) -> None:
    """B078: a Service without endpoints is accepted and answers nobody."""
    carried = [labels for _, _, labels in pods(recorded)]
    for service in recorded.of_kind("Service"):
        selector = service.inputs["spec"]["selector"]
        assert len([labels for labels in carried if selector.items() <= labels.items()]) == 1, service.urn
