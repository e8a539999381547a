"""Whether and how the start-up window is closed. That the patch applies is shown by a real API server."""

import re

import pytest

from components.rakazo.startup_wait import CONTAINER, render_patch
from components.rakazo.wait_script import Wait, render_command
from tests.unit.rakazo import surroundings
from tests.unit.rakazo.surroundings import COMPUTERS, LIMITS, RESERVE
from tests.unit.recorder import record


def test_every_pod_among_the_computers_gets_the_wait() -> None:
    """B066: no pod can opt out, and without the policy's engine none is created."""
    recorded = record(surroundings.declare_startup_wait)
    policy = recorded.only("MutatingAdmissionPolicy").inputs["spec"]
    binding = recorded.only("MutatingAdmissionPolicyBinding").inputs["spec"]
    (rule,) = policy["matchConstraints"]["resourceRules"]
    assert rule == {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
    assert policy["failurePolicy"] == "Fail"
    assert "matchConditions" not in policy
    assert binding["policyName"] == recorded.only("MutatingAdmissionPolicy").metadata["name"]
    assert binding["matchResources"]["namespaceSelector"] == {"matchLabels": {"kubernetes.io/metadata.name": COMPUTERS}}


def test_names_are_the_stacks_own_since_they_are_cluster_wide() -> None:
    """B037: two stacks on one cluster do not take over each other's objects."""
    recorded = record(surroundings.declare_startup_wait)
    for resource in recorded.kubernetes:
        assert resource.metadata["name"].startswith("rakazo-")


def test_an_older_cluster_gets_a_warning_instead(caplog: pytest.LogCaptureFixture) -> None:
    """B066: where the window cannot be closed, the preview says that it is open."""
    recorded = record(lambda: surroundings.declare_startup_wait(mutates_admission=False), preview=True)
    assert recorded.kubernetes == []
    assert "until its network policies arrive. Upgrade the cluster" in caplog.text


def test_a_recent_cluster_gets_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    record(surroundings.declare_startup_wait, preview=True)
    assert "network policies" not in caplog.text


def test_the_component_says_whether_computers_carry_the_wait() -> None:
    found: list[str | None] = []
    record(lambda: found.append(surroundings.declare_startup_wait().container))
    record(lambda: found.append(surroundings.declare_startup_wait(mutates_admission=False).container))
    assert found == [CONTAINER, None]


def test_the_wait_runs_first_and_in_the_pods_own_image() -> None:
    """B066: an init container in front of it could use the open moment."""
    patch = render_patch(LIMITS, LIMITS)
    assert re.findall(r'path: "([^"]+)"', patch) == ["/spec/initContainers", "/spec/initContainers/0"]
    assert "image: object.spec.containers[0].image," in patch
    assert "value: []}\n" in patch


def test_the_wait_is_held_to_the_strictest_level_of_pod_security() -> None:
    patch = render_patch(LIMITS, LIMITS)
    for line in (
        "allowPrivilegeEscalation: false",
        "readOnlyRootFilesystem: true",
        "runAsNonRoot: true",
        "runAsUser: 1000",
        'drop: ["ALL"]',
        'type: "RuntimeDefault"',
    ):
        assert line in patch


def test_the_wait_makes_a_pod_no_larger_than_its_computer() -> None:
    """B064: a quota wants limits for init containers too, and counts the larger of wait and computer.

    Under gVisor the pod as a whole may take that larger one: a computer with less of its own keeps to its own.
    """
    patch = render_patch(LIMITS, RESERVE)
    own = "object.spec.containers[0].?resources"
    limits = '{"cpu": "2", "memory": "4Gi", "ephemeral-storage": "10Gi"}'
    requests = '{"cpu": "250m", "memory": "512Mi", "ephemeral-storage": "1Gi"}'
    assert f"limits: {own}.?limits.orValue({limits})" in patch
    assert f"requests: {own}.?requests.orValue({requests})" in patch


def test_the_command_is_python_that_writes_nothing_and_reads_no_home() -> None:
    *command, script = render_command(Wait())
    assert command == ["python3", "-I", "-S", "-B", "-c"]
    compile(script, "wait", "exec")
