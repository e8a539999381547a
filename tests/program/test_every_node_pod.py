"""What holds for the pods that the node installer puts onto every computers' node, of every stack that has it."""

import re

import pytest

from stacks.matrix import Way
from stacks.settings import StackSettings
from tests.program.stack_files import STACK_NAMES, containers, deployed, settings_of
from tests.unit.recorder import Registered

STACKS = [name for name in STACK_NAMES if settings_of(name).pair.way is Way.INSTALLER]
assert STACKS, "no stack installs gVisor from inside its cluster, so nothing would be tested"

INSTALLER = "node-installer"


@pytest.fixture(params=STACKS)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def pods(stack: str) -> list[Registered]:
    found = deployed(stack).of_kind("DaemonSet")
    assert {item.metadata["name"] for item in found} == {INSTALLER, "node-prover"}
    return found


def test_other_stacks_put_nothing_onto_every_node() -> None:
    assert [name for name in STACK_NAMES if name not in STACKS and deployed(name).of_kind("DaemonSet")] == []


def test_they_have_no_capability_and_share_no_namespace_with_their_node(stack: str) -> None:
    for item in pods(stack):
        spec = item.inputs["spec"]["template"]["spec"]
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(spec), item.urn
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, item.urn
        for container in containers(spec):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
                "readOnlyRootFilesystem": True,
            }, item.urn


def test_their_image_is_pinned_and_one_that_the_nodes_have_anyway(stack: str, settings: StackSettings) -> None:
    for item in pods(stack):
        for container in containers(item.inputs["spec"]["template"]["spec"]):
            assert container["image"] == settings.images.computer
            assert re.search(r"@sha256:[0-9a-f]{64}$", container["image"]), item.urn
            assert {"cpu", "memory"} <= set(container["resources"]["limits"]), item.urn


def test_only_the_installer_sees_its_node_and_it_is_not_the_one_that_may_change_nodes(stack: str) -> None:
    seeing = {
        item.metadata["name"]
        for item in pods(stack)
        if any("hostPath" in volume for volume in item.inputs["spec"]["template"]["spec"]["volumes"])
    }
    assert seeing == {INSTALLER}
    changing = {
        subject["name"]
        for binding in deployed(stack).of_kind("ClusterRoleBinding")
        for subject in binding.inputs["subjects"]
    }
    assert changing
    assert not changing & seeing


def test_no_computer_starts_before_its_node_has_proven_itself(stack: str, settings: StackSettings) -> None:
    made = deployed(stack).only("RuntimeClass", name=f"{settings.application.namespace}-gvisor").inputs
    assert made["scheduling"]["nodeSelector"]["rakazo-infra/gvisor"] == "ready"
