"""What keeps computers in, for every committed stack file, with a sentence about what is wrong if it does not.

The seven changes that must never pass unnoticed are made here, one at a time, to what a stack deploys.
"""

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from stacks.kubernetes_version import parse_version
from stacks.runtime import GvisorRuntime, KataRuntime
from stacks.settings import StackSettings
from tests.program.stack_files import STACK_FILES, STACK_NAMES, deployed, pods, settings_of
from tests.unit.recorder import Recorder, Registered

assert STACK_FILES, "no stack file was found, so nothing would be tested"

COMPONENT = "app.kubernetes.io/component"
ORDINARY = {"runc", "crun", "youki"}


def sandboxed(recorded: Recorder, settings: StackSettings) -> None:
    """B045: a class with an ordinary handler looks like a sandbox everywhere but in the kernel."""
    handlers = {item.inputs["handler"] for item in recorded.of_kind("RuntimeClass")}
    if isinstance(settings.runtime, GvisorRuntime | KataRuntime):
        assert not handlers & ORDINARY, f"computers run on {handlers}, which is no sandbox"


def closed(recorded: Recorder, settings: StackSettings) -> None:
    """B130: default deny in both directions, with the internet's exceptions."""
    for namespace in (settings.application.namespace, settings.application.computers_namespace):
        directions = [
            direction
            for item in recorded.of_kind("NetworkPolicy")
            if item.namespace == namespace and item.inputs["spec"]["podSelector"] == {}
            for direction in item.inputs["spec"]["policyTypes"]
            if not item.inputs["spec"].get("ingress") and not item.inputs["spec"].get("egress")
        ]
        assert "Ingress" in directions, f"no policy denies what enters {namespace}"
        assert "Egress" in directions, f"no policy denies what leaves {namespace}"


def locked(recorded: Recorder, settings: StackSettings) -> None:
    """B079: a screen has no password, so its one peer is the lock."""
    for item in recorded.of_kind("NetworkPolicy"):
        if item.namespace == settings.application.computers_namespace:
            for rule in item.inputs["spec"].get("ingress", []):
                peers = [set(peer) for peer in rule.get("from", [])]
                assert peers == [{"namespaceSelector", "podSelector"}], (
                    f"{item.metadata['name']} admits whoever matches either selector: write both in one peer"
                )


def narrow(recorded: Recorder, settings: StackSettings) -> None:
    """B103: the documented verbs, in one namespace. What the node installer may do, its own module looks at."""
    own = {settings.application.namespace, settings.application.computers_namespace}
    granted = {
        (resource, verb)
        for role in recorded.of_kind("Role")
        if role.namespace in own
        for rule in role.inputs["rules"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    documented = {("pods", verb) for verb in ("create", "get", "delete")}
    documented |= {("pods/exec", verb) for verb in ("create", "get")}
    assert granted <= documented, f"rights that Rakazo does not need: {sorted(granted - documented)}"
    assert documented <= granted, f"rights that Rakazo needs are missing: {sorted(documented - granted)}"
    bound = {
        subject.get("namespace")
        for binding in recorded.of_kind("ClusterRoleBinding")
        for subject in binding.inputs["subjects"]
    }
    assert not bound & own, "no right of Rakazo holds in the whole cluster"


def tokenless(recorded: Recorder, _: StackSettings) -> None:
    """B104: only api and worker talk to the Kubernetes API."""
    holders = {labels[COMPONENT] for _, spec, labels in pods(recorded) if spec["automountServiceAccountToken"]}
    assert holders <= {"api", "worker"}, f"a service account token is mounted in {sorted(holders)}"


def unfalsified(recorded: Recorder, _: StackSettings) -> None:
    """B101: a variable that Kubernetes could write is written by us first."""
    (spec,) = [spec for _, spec, labels in pods(recorded) if labels[COMPONENT] == "api"]
    written = {item["name"]: item.get("value") for item in spec["containers"][0]["env"]}
    assert written.get("API_PORT") == "3100", "API_PORT is not set: a Service named api would falsify it"
    assert written.get("API_HOST") == "0.0.0.0", "API_HOST is not set: api would listen on loopback alone"  # noqa: S104


def waiting(recorded: Recorder, settings: StackSettings) -> None:
    """B066: where the cluster can close the start-up window, it is closed."""
    if parse_version(settings.target.kubernetes_version) >= (1, 36):
        bound = {item.inputs["spec"]["policyName"] for item in recorded.of_kind("MutatingAdmissionPolicyBinding")}
        made = {item.metadata["name"] for item in recorded.of_kind("MutatingAdmissionPolicy")}
        assert made, "no mutating policy puts the wait in front of computers: they start before their policies"
        assert bound == made, "the mutating policy of the wait is bound to nothing"


Guard = Callable[[Recorder, StackSettings], None]
GUARDS: list[Guard] = [sandboxed, closed, locked, narrow, tokenless, unfalsified, waiting]


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.__name__)
@pytest.mark.parametrize("stack", STACK_NAMES)
def test_every_stack_is_fenced(stack: str, guard: Guard) -> None:
    """B045, B066, B079, B101, B103, B104, B130: one guard each, described where it is defined."""
    guard(deployed(stack), settings_of(stack))


def changed(kind: str, change: Callable[[dict[str, Any]], object], **metadata: str) -> Recorder:
    """Return the local stack's deployment with one object changed."""
    recorded = Recorder()
    target = deployed("local").only(kind, **metadata)
    for item in deployed("local").seen:
        inputs = copy.deepcopy(item.inputs)
        if item.urn == target.urn:
            change(inputs)
        recorded.seen.append(dataclasses.replace(item, inputs=inputs))
    return recorded


def without(lost: Callable[[Registered], bool]) -> Recorder:
    """Return the local stack's deployment without some objects."""
    recorded = Recorder()
    recorded.seen = [item for item in deployed("local").seen if not lost(item)]
    assert len(recorded.seen) < len(deployed("local").seen)
    return recorded


def split_peer(inputs: dict[str, Any]) -> None:
    (rule,) = inputs["spec"]["ingress"]
    rule["from"] = [{key: value} for key, value in rule["from"][0].items()]


def forget_api_port(inputs: dict[str, Any]) -> None:
    (container,) = inputs["spec"]["template"]["spec"]["containers"]
    container["env"] = [item for item in container["env"] if item["name"] != "API_PORT"]


def mount_token(inputs: dict[str, Any]) -> None:
    inputs["spec"]["template"]["spec"]["automountServiceAccountToken"] = True


@pytest.mark.parametrize(
    ("break_it", "guard", "message"),
    [
        (lambda: changed("RuntimeClass", lambda item: item.update(handler="runc")), sandboxed, "is no sandbox"),
        (
            lambda: without(lambda item: item.name.endswith("computers-deny-all")),
            closed,
            "no policy denies what enters rakazo-sandboxes",
        ),
        (
            lambda: changed(
                "NetworkPolicy",
                lambda item: item["spec"].update(policyTypes=["Ingress"]),
                name="deny-all",
                namespace="rakazo-sandboxes",
            ),
            closed,
            "no policy denies what leaves rakazo-sandboxes",
        ),
        (
            lambda: changed("NetworkPolicy", split_peer, name="screens-from-application"),
            locked,
            "screens-from-application admits whoever matches either selector",
        ),
        (
            lambda: changed("Role", lambda item: item["rules"][0]["verbs"].append("list")),
            narrow,
            r"rights that Rakazo does not need: \[\('pods', 'list'\)\]",
        ),
        (
            lambda: changed("Deployment", mount_token, name="rakazo-web"),
            tokenless,
            "a service account token is mounted in .*'web'",
        ),
        (lambda: changed("Deployment", forget_api_port, name="rakazo-api"), unfalsified, "API_PORT is not set"),
        (
            lambda: without(lambda item: item.kind == "MutatingAdmissionPolicy"),
            waiting,
            "no mutating policy puts the wait in front of computers",
        ),
    ],
    ids=["handler", "deny-all", "egress", "split-peer", "list", "token", "api-port", "mutating-policy"],
)
def test_a_broken_fence_is_named(break_it: Callable[[], Recorder], guard: Guard, message: str) -> None:
    """B045, B066, B079, B101, B103, B104, B130: each guard has been seen to fail, and says why."""
    with pytest.raises(AssertionError, match=message):
        guard(break_it(), settings_of("local"))
