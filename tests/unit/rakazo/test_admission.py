"""Which rules the API server is given. What they refuse is shown by a real API server, rule by rule."""

import re

import pytest

from components.rakazo.admission import Admission, AdmissionArgs
from tests.unit.rakazo import surroundings
from tests.unit.rakazo.surroundings import APPLICATION, COMPUTER_IMAGE, COMPUTERS, RAKAZO
from tests.unit.recorder import Recorder, record


@pytest.fixture(scope="module")
def recorded() -> Recorder:
    return record(surroundings.declare_admission)


def rules(recorder: Recorder, subject: str = "computers") -> dict[str, str]:
    """Message to expression of a policy."""
    policy = recorder.only("ValidatingAdmissionPolicy", name=f"{APPLICATION}-{subject}")
    return {rule["message"]: rule["expression"] for rule in policy.inputs["spec"]["validations"]}


def test_every_rule_says_what_it_wants_in_words_of_its_own(recorded: Recorder) -> None:
    policy = recorded.only("ValidatingAdmissionPolicy", name="rakazo-computers").inputs["spec"]
    messages = [rule["message"] for rule in policy["validations"]]
    assert len(messages) == len(set(messages)) == 27
    assert [message for message in messages if not re.match(r"a computer('s image)? |only Rakazo", message)] == []
    assert {rule["reason"] for rule in policy["validations"]} == {"Forbidden"}


def test_the_rules_hold_for_new_and_for_changed_pods_and_their_debugging_containers(recorded: Recorder) -> None:
    policy = recorded.only("ValidatingAdmissionPolicy", name="rakazo-computers").inputs["spec"]
    assert policy["failurePolicy"] == "Fail"
    assert policy["matchConstraints"]["resourceRules"] == [
        {
            "apiGroups": [""],
            "apiVersions": ["v1"],
            "operations": ["CREATE", "UPDATE"],
            "resources": ["pods", "pods/ephemeralcontainers"],
        }
    ]


def test_every_way_into_a_computer_is_rakazos_alone(recorded: Recorder) -> None:
    """B103: rights that somebody adds later do not open a computer either."""
    policy = recorded.only("ValidatingAdmissionPolicy", name="rakazo-connections").inputs["spec"]
    (rule,) = policy["matchConstraints"]["resourceRules"]
    assert rule["operations"] == ["CONNECT"]
    assert rule["resources"] == ["pods/exec", "pods/attach", "pods/portforward", "pods/proxy"]
    (expression,) = rules(recorded, "connections").values()
    assert expression == f'request.userInfo.username in ["{RAKAZO}"]'
    assert policy["failurePolicy"] == "Fail"


def test_both_policies_are_bound_to_the_computers_namespace_and_deny(recorded: Recorder) -> None:
    """B047: a policy without a binding is inert."""
    bindings = recorded.of_kind("ValidatingAdmissionPolicyBinding")
    assert {binding.inputs["spec"]["policyName"] for binding in bindings} == {
        policy.metadata["name"] for policy in recorded.of_kind("ValidatingAdmissionPolicy")
    }
    for binding in bindings:
        assert binding.inputs["spec"]["validationActions"] == ["Deny"]
        assert binding.inputs["spec"]["matchResources"]["namespaceSelector"] == {
            "matchLabels": {"kubernetes.io/metadata.name": COMPUTERS}
        }


def test_a_computer_without_the_stacks_runtime_class_is_refused(recorded: Recorder) -> None:
    """B047: what was meant to be a sandbox must not silently be none."""
    expression = rules(recorded)["a computer must have runtimeClassName: rakazo-gvisor"]
    assert expression == 'object.spec.?runtimeClassName.orValue("") == "rakazo-gvisor"'


def test_a_computer_runs_the_configured_image_alone(recorded: Recorder) -> None:
    expression = rules(recorded)[f"a computer must run the configured image {COMPUTER_IMAGE}"]
    assert expression == f'variables.containers.all(c, c.image == "{COMPUTER_IMAGE}")'


def test_no_priority_is_taken_but_what_the_cluster_gives_to_everybody(recorded: Recorder) -> None:
    """B047: a pod that names no class has the default one when it is judged, so every class has to be looked at."""
    policy = recorded.only("ValidatingAdmissionPolicy", name="rakazo-computers").inputs["spec"]
    binding = recorded.only("ValidatingAdmissionPolicyBinding", name="rakazo-computers").inputs["spec"]
    assert policy["paramKind"] == {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
    assert binding["paramRef"] == {"selector": {}, "parameterNotFoundAction": "Deny"}
    expression = rules(recorded)["a computer must not push other pods off a node: priorityClassName"]
    assert expression.endswith("!= params.metadata.name || params.?globalDefault.orValue(false)")


def test_the_wait_is_demanded_where_the_cluster_adds_it_and_only_there(recorded: Recorder) -> None:
    """B066: were the mutating policy removed, computers would be refused instead of starting open."""
    without = record(lambda: surroundings.declare_admission(first_init_container=None))
    (demanded,) = set(rules(recorded)) - set(rules(without))
    assert "network-policy-wait" in demanded
    assert set(rules(without)) < set(rules(recorded))


def test_an_image_without_a_digest_is_refused_before_anything_is_made() -> None:
    with pytest.raises(ValueError, match=r"images\.computer has no digest.*write name@sha256:<64 hex digits>"):
        record(
            lambda: Admission(
                "admission",
                AdmissionArgs(
                    application_namespace=APPLICATION,
                    computers_namespace=COMPUTERS,
                    sandbox=surroundings.sandbox(),
                    computer_image="registry.example/computer:latest",
                    creators=[RAKAZO],
                    first_init_container=None,
                ),
            )
        )
