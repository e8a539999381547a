"""What the node installer asks of the cluster. That it works is shown on an embedded node."""

import functools
from typing import Any

import pytest

from components.runtimes.installer import program
from tests.unit.example import deployed, settings
from tests.unit.policies import Host, Pod, Policies
from tests.unit.recorder import Recorder

SPACE = "rakazo-nodes"
RELEASE = {"release": "20261116.0", "sha512": "0" * 128, "mirror": "http://mirror.example.com:8080/gvisor"}
NODE_FOLDERS = {"/opt/rakazo-infra", "/etc/containerd", "/run/systemd"}


@functools.cache
def recorded() -> Recorder:
    return deployed(target__gvisor=RELEASE)


def workload(role: str) -> dict[str, Any]:
    inputs: dict[str, Any] = recorded().only("DaemonSet", name=role).inputs
    return inputs


def spec_of(role: str) -> dict[str, Any]:
    found: dict[str, Any] = workload(role)["spec"]["template"]["spec"]
    return found


def variables(role: str) -> dict[str, Any]:
    (container,) = spec_of(role)["containers"]
    return {each["name"]: each.get("value") for each in container["env"]}


def test_a_cluster_whose_nodes_bring_gvisor_gets_no_installer() -> None:
    assert deployed().of_kind("DaemonSet") == []


def test_computers_go_only_where_a_pod_has_run_under_gvisor() -> None:
    scheduling = recorded().only("RuntimeClass", name="rakazo-gvisor").inputs["scheduling"]
    assert scheduling["nodeSelector"] == {"rakazo-infra/pool": "computers", "rakazo-infra/gvisor": "ready"}
    assert variables("node-prover")["LABEL"] == "rakazo-infra/gvisor"
    assert variables("node-prover")["LABEL_VALUE"] == "ready"


def test_admission_knows_of_the_label_that_the_class_adds() -> None:
    """The class adds it to every computer; a policy that did not know it would refuse them all."""
    rules = str(recorded().only("ValidatingAdmissionPolicy", name="rakazo-computers").inputs)
    assert "rakazo-infra/gvisor" in rules


def test_the_prover_runs_under_the_handler_on_every_node_of_the_pool() -> None:
    unproven = recorded().only("RuntimeClass", name="rakazo-node-prover").inputs
    assert unproven["handler"] == recorded().only("RuntimeClass", name="rakazo-gvisor").inputs["handler"]
    assert unproven["scheduling"]["nodeSelector"] == {"rakazo-infra/pool": "computers"}
    assert spec_of("node-prover")["runtimeClassName"] == "rakazo-node-prover"


def test_the_installer_is_on_the_same_nodes_and_under_no_class() -> None:
    assert "runtimeClassName" not in spec_of("node-installer")


@pytest.mark.parametrize("role", ["node-installer", "node-prover"])
def test_a_daemon_set_says_itself_on_which_nodes_it_is(role: str) -> None:
    """Its controller does not look at the class: it would make pods for nodes on which they can never be."""
    spec = spec_of(role)
    assert spec["nodeSelector"] == {"rakazo-infra/pool": "computers"}
    assert [(each["key"], each["effect"]) for each in spec["tolerations"]] == [("rakazo-infra/pool", "NoSchedule")]


def test_the_release_is_the_stack_files_with_its_checksum() -> None:
    told = variables("node-installer")
    assert told["GVISOR_URL"] == "http://mirror.example.com:8080/gvisor/20261116.0/x86_64/gvisor.tar.bz2"
    assert (told["GVISOR_SHA512"], told["GVISOR_RELEASE"]) == (RELEASE["sha512"], RELEASE["release"])
    assert (told["GVISOR_PLATFORM"], told["GVISOR_HANDLER"]) == ("systrap", "runsc")


@pytest.mark.parametrize("role", ["node-installer", "node-prover"])
def test_neither_pod_has_a_capability_a_namespace_of_the_node_or_a_root_that_can_be_written(role: str) -> None:
    spec = spec_of(role)
    assert not {"hostNetwork", "hostPID", "hostIPC", "nodeName"} & set(spec)
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    (container,) = spec["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }
    assert container["image"] == settings().images.computer
    assert {"cpu", "memory"} <= set(container["resources"]["limits"])


def test_only_the_installer_sees_folders_of_the_node_and_only_these() -> None:
    seen = {each["hostPath"]["path"] for each in spec_of("node-installer")["volumes"] if "hostPath" in each}
    assert seen == NODE_FOLDERS
    assert [each for each in spec_of("node-prover")["volumes"] if "hostPath" in each] == []
    assert spec_of("node-prover")["securityContext"]["runAsNonRoot"] is True


def test_who_holds_the_node_has_no_right_over_nodes_and_the_other_way_round() -> None:
    (role,) = [item for item in recorded().of_kind("Role") if item.namespace == SPACE]
    assert role.inputs["rules"] == [
        {"apiGroups": ["apps"], "resources": ["daemonsets"], "resourceNames": ["node-installer"], "verbs": ["get"]}
    ]
    (wide,) = recorded().of_kind("ClusterRole")
    assert wide.inputs["rules"] == [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["patch"]}]
    (binding,) = recorded().of_kind("ClusterRoleBinding")
    assert [each["name"] for each in binding.inputs["subjects"]] == ["node-prover"]


def test_the_right_over_nodes_comes_after_what_limits_it() -> None:
    (wide,) = recorded().of_kind("ClusterRole")
    limits = recorded().only("ValidatingAdmissionPolicyBinding", name="rakazo-node-prover")
    assert limits.inputs["spec"]["validationActions"] == ["Deny"]
    assert limits.urn in wide.dependencies
    policy = recorded().only("ValidatingAdmissionPolicy", name="rakazo-node-prover").inputs["spec"]
    assert policy["failurePolicy"] == "Fail"
    assert 'system:serviceaccount:rakazo-nodes:node-prover"' in policy["matchConditions"][0]["expression"]


def test_nobody_reaches_the_installer_and_it_reaches_its_mirrors_port_and_the_api() -> None:
    policies = Policies([item.inputs for item in recorded().of_kind("NetworkPolicy")])
    installer, prover = (
        Pod(SPACE, workload(role)["spec"]["template"]["metadata"]["labels"], "10.42.1.9")
        for role in ("node-installer", "node-prover")
    )
    public, api = Host("198.51.99.1"), Host("10.10.0.11")
    assert policies.connects(installer, public, 8080)
    assert not policies.connects(installer, public, 443)
    assert not policies.connects(prover, public, 8080)
    assert policies.connects(installer, api, 6443)
    assert policies.connects(prover, api, 6443)
    for pod in (installer, prover):
        assert not policies.connects(public, pod, 80)


def test_the_whole_program_is_in_the_cluster_and_a_change_of_it_starts_new_pods() -> None:
    data = recorded().only("ConfigMap", name="node-program").inputs["data"]
    assert data == dict(program.modules())
    assert {"install.py", "prove.py", "__init__.py"} <= set(data)
    for role in ("node-installer", "node-prover"):
        annotations = workload(role)["spec"]["template"]["metadata"]["annotations"]
        assert annotations == {"rakazo-infra/program": program.fingerprint()}


def test_another_release_is_proven_by_another_pod_after_it_was_installed() -> None:
    """B063: a label that was earned by the release before says nothing about this one."""
    newer = deployed(target__gvisor={**RELEASE, "release": "20261123.0"})
    for role in ("node-installer", "node-prover"):
        assert newer.only("DaemonSet", name=role).inputs["spec"]["template"] != workload(role)["spec"]["template"]


def test_computers_wait_for_the_nodes() -> None:
    ready = recorded().only("DaemonSet", name="node-prover")
    assert ready.urn in recorded().only("RuntimeClass", name="rakazo-gvisor").dependencies
    assert recorded().only("DaemonSet", name="node-installer").urn in ready.dependencies


def test_its_namespace_is_the_only_one_that_lets_folders_of_the_node_in() -> None:
    levels = {
        item.metadata["name"]: item.metadata["labels"]["pod-security.kubernetes.io/enforce"]
        for item in recorded().of_kind("Namespace")
    }
    assert levels == {"rakazo": "restricted", "rakazo-sandboxes": "baseline", SPACE: "privileged"}
