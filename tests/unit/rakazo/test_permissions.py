"""What Rakazo may ask of the Kubernetes API, by what the Role says."""

import pytest

from tests.unit.rakazo import surroundings
from tests.unit.rakazo.surroundings import APPLICATION, COMPUTERS
from tests.unit.recorder import Recorder, record


@pytest.fixture(scope="module")
def recorded() -> Recorder:
    return record(surroundings.declare_permissions)


def test_rakazo_has_exactly_the_documented_verbs(recorded: Recorder) -> None:
    """B103: exec needs create and get, since clients upgrade by POST or by GET; list and watch are nobody's."""
    role = recorded.only("Role")
    assert role.namespace == COMPUTERS
    assert role.inputs["rules"] == [
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["create", "get", "delete"]},
        {"apiGroups": [""], "resources": ["pods/exec"], "verbs": ["create", "get"]},
    ]


def test_the_rights_are_bound_to_rakazos_account_alone_and_in_the_computers_namespace_alone(
    recorded: Recorder,
) -> None:
    """B103: nothing holds cluster-wide."""
    binding = recorded.only("RoleBinding")
    assert binding.namespace == COMPUTERS
    assert binding.inputs["subjects"] == [{"kind": "ServiceAccount", "name": "rakazo", "namespace": APPLICATION}]
    assert binding.inputs["roleRef"]["kind"] == "Role"
    assert binding.inputs["roleRef"]["name"] == recorded.only("Role").metadata["name"]
    assert recorded.of_kind("ClusterRole") + recorded.of_kind("ClusterRoleBinding") == []


def test_rakazos_account_hands_out_no_token_that_a_pod_did_not_ask_for(recorded: Recorder) -> None:
    """B104: web and Postgres could otherwise get one by naming the account."""
    account = recorded.only("ServiceAccount", name="rakazo")
    assert account.namespace == APPLICATION
    assert account.inputs["automountServiceAccountToken"] is False


@pytest.mark.parametrize("namespace", [APPLICATION, COMPUTERS])
def test_the_default_account_hands_out_no_token(recorded: Recorder, namespace: str) -> None:
    """B104: computers run as it, whoever made it first."""
    patch = recorded.only("ServiceAccountPatch", name="default", namespace=namespace)
    assert patch.inputs["automountServiceAccountToken"] is False
    assert patch.metadata["annotations"] == {"pulumi.com/patchForce": "true"}


def test_all_of_it_waits_for_the_policies(recorded: Recorder) -> None:
    """B130: nothing exists in a namespace that is still open."""
    closed = {item.urn for item in recorded.of_kind("NetworkPolicy") if item.metadata["name"] == "deny-all"}
    for kind in ("Role", "RoleBinding", "ServiceAccount", "ServiceAccountPatch"):
        for resource in recorded.of_kind(kind):
            assert closed <= resource.dependencies, resource.name
