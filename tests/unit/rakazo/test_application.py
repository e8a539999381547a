"""The stages put together: what the settings of a stack become."""

import pulumi
import pytest

from components.deployment import deploy
from stacks.computers import Reserve
from tests.unit.example import SECRETS, by_limits, deployed, example, secret_outputs, settings, variables_of
from tests.unit.probes.example import facts
from tests.unit.recorder import Recorder, record

CLUSTER_WIDE = (
    "Namespace",
    "RuntimeClass",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
)


def cluster_wide(recorder: Recorder) -> set[tuple[str, str]]:
    return {(kind, str(found.metadata["name"])) for kind in CLUSTER_WIDE for found in recorder.of_kind(kind)}


def test_two_stacks_on_one_cluster_share_no_object() -> None:
    other = deployed(application__namespace="second", application__computers_namespace="second-computers")

    assert len(cluster_wide(other)) == len(cluster_wide(example()))
    assert cluster_wide(other) & cluster_wide(example()) == set()


def test_everything_of_a_stack_is_found_by_its_labels() -> None:
    silent = [
        resource.name
        for resource in example().kubernetes
        if resource.kind != "ServiceAccountPatch"
        and (
            resource.metadata["labels"].get("app.kubernetes.io/managed-by"),
            resource.metadata["labels"].get("app.kubernetes.io/instance"),
        )
        != ("rakazo-infra", "rakazo")
    ]
    assert silent == []


def test_the_quota_holds_the_maximum_of_what_computers_book() -> None:
    """B064: 12 computers of 50m and 128Mi, each with gVisor's 50m and 96Mi."""
    hard = example().only("ResourceQuota").inputs["spec"]["hard"]

    assert hard["pods"] == "12"
    assert (hard["requests.cpu"], hard["requests.memory"]) == ("1200m", "2688Mi")
    assert (hard["limits.cpu"], hard["limits.memory"]) == ("24600m", "25728Mi")


def test_without_a_reserve_the_quota_books_limits() -> None:
    """B065: what Kubernetes does with pods that name limits only."""
    hard = by_limits().only("ResourceQuota").inputs["spec"]["hard"]
    assert hard["requests.memory"] == hard["limits.memory"] == "25728Mi"


def test_a_computer_gets_its_limits_and_reserve_from_the_limit_range() -> None:
    """B064: Rakazo names none, and the quota would refuse it."""
    (item,) = example().only("LimitRange").inputs["spec"]["limits"]
    reserve = settings().computers.reserve

    assert isinstance(reserve, Reserve)
    assert item["default"] == {"cpu": "2", "memory": "2Gi", "ephemeral-storage": "2Gi"}
    assert item["defaultRequest"] == {
        "cpu": reserve.cpu,
        "memory": reserve.memory,
        "ephemeral-storage": reserve.ephemeral_storage,
    }


def test_without_a_sandbox_computers_still_get_a_class_that_places_them() -> None:
    """B047: Rakazo's pods name neither nodes nor taints."""
    recorder = deployed(runtime={"kind": "runc"})

    assert recorder.only("RuntimeClass").inputs["handler"] == "runc"
    assert variables_of(recorder, "api")["KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME"] == "rakazo-runc"


def test_what_a_stack_exports_is_plain_and_known_in_the_first_preview() -> None:
    exported: dict[str, str] = {}
    record(lambda: pulumi.Output.all(**deploy(settings(), secret_outputs())).apply(exported.update), preview=True)

    assert exported == {
        "url": "http://localhost:30173",
        "namespace": "rakazo",
        "computers_namespace": "rakazo-sandboxes",
        "runtime_class": "rakazo-gvisor",
        "isolation": "proven before the way in opened; rakazo-infra verify proves it again",
        "facts": facts().pack(),
    }
    assert not set(SECRETS.values()) & set(exported.values())


@pytest.mark.parametrize("port", [6100, 6250])
def test_the_last_screen_port_reaches_the_policies(port: int) -> None:
    """B080: one range for all displays, up to the setting."""
    recorder = deployed(computers__last_screen_port=port)
    ends = {
        item["endPort"]
        for policy in recorder.of_kind("NetworkPolicy")
        for rule in policy.inputs["spec"].get("ingress") or policy.inputs["spec"].get("egress") or []
        for item in rule.get("ports", [])
        if "endPort" in item
    }
    assert ends == {port}
