"""Every rule refuses its bad pod, asked by server-side dry run of a real API server.

Pod Security is asked before our policy and refuses half of these pods itself, so it is lifted here: what a
cluster without it would let through is what our own rules have to catch.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from components.deployment import deploy
from probes.bad_pods import BAD_PODS, BESIDE, CREATOR, EPHEMERAL, STRANGER, WAIT, container
from probes.claims.admission_verdict import denial
from probes.claims.dry_run import refusal
from probes.pods import said as sentence
from stacks.settings import StackSettings
from tests.deployments import Deployed, settings_of
from tests.isolation import breaks
from tests.isolation.admission import GROUP, REFUSED, eventually
from tests.isolation.conftest import Computer
from tests.isolation.overlays import Cluster
from tests.rakazo_account import as_computer, as_rakazo
from tests.unit.example import secret_outputs
from tests.unit.recorder import record

ENFORCE = "pod-security.kubernetes.io/enforce"
CONNECTIONS: dict[str, dict[str, Any]] = {
    "exec": {"command": ["true"], "stdout": True},
    "attach": {"stdout": True},
    "portforward": {"ports": "6080"},
    "proxy": {},
}


@pytest.fixture(scope="module", autouse=True)
def _our_policy_alone(deployed: Deployed) -> Iterator[None]:
    """Let Pod Security pass everything, and give the namespace a second service account, while this module runs."""
    core = client.CoreV1Api(deployed.api)
    core.create_namespaced_service_account(deployed.computers, {"metadata": {"name": STRANGER}})
    before = core.read_namespace(deployed.computers).metadata.labels[ENFORCE]
    host = as_computer("host", deployed)
    host["spec"]["hostNetwork"] = True

    def enforced(level: str) -> None:
        core.patch_namespace(deployed.computers, {"metadata": {"labels": {ENFORCE: level}}})

    def said() -> str:
        return refusal(as_rakazo(deployed), host) or ""

    enforced("privileged")
    try:
        eventually(said, lambda text: "violates PodSecurity" not in text)
        yield
    finally:
        enforced(before)
        core.delete_namespaced_service_account(STRANGER, deployed.computers)
        eventually(said, lambda text: "violates PodSecurity" in text)


def rendered(deployed: Deployed) -> dict[str, list[str]]:
    """Return the sentences that this stack's settings render, by policy, in their order."""
    settings = StackSettings.model_validate(settings_of(deployed.deployment))
    policies = record(lambda: deploy(settings, secret_outputs())).of_kind("ValidatingAdmissionPolicy")
    return {
        policy.metadata["name"]: [rule["message"] for rule in policy.inputs["spec"]["validations"]]
        for policy in policies
    }


def filled(deployed: Deployed, message: str) -> str:
    """Return a sentence with what this stack expects."""
    return message.format(
        image=deployed.images["computer"],
        runtime_class=f"{deployed.application}-gvisor",
        user=f"system:serviceaccount:{deployed.application}:rakazo",
    )


def denied(deployed: Deployed, message: str, subject: str = "computers") -> str:
    """Return the end of the API server's answer when a rule of ours refuses."""
    return denial(f"{deployed.application}-{subject}", filled(deployed, message))


def test_every_rule_of_this_stack_has_a_bad_pod(deployed: Deployed) -> None:
    """Also the twin of all below: no rule is looked for that the stack does not have."""
    cases = {filled(deployed, message) for message in (*BESIDE, *(bad.message for bad in BAD_PODS.values()))}
    assert set(rendered(deployed)[f"{deployed.application}-computers"]) == cases


def test_the_cluster_holds_exactly_the_rules_that_the_settings_render(deployed: Deployed) -> None:
    """B047: nothing below is refused by a rule that somebody else added."""
    objects = client.CustomObjectsApi(deployed.api)
    items = objects.list_cluster_custom_object(*GROUP, "validatingadmissionpolicies")["items"]
    live = {item["metadata"]["name"]: [rule["message"] for rule in item["spec"]["validations"]] for item in items}
    assert live == rendered(deployed)


@pytest.mark.parametrize("case", BAD_PODS)
def test_a_bad_pod_is_refused_by_its_rule(deployed: Deployed, case: str) -> None:
    """B047: a computer without the class, or with anything of the host, never starts."""
    pod = as_computer("bad", deployed)
    BAD_PODS[case].spoil(pod)
    said = refusal(as_rakazo(deployed), pod)
    assert said is not None, f"a pod with {case} was accepted"
    assert said.endswith(denied(deployed, BAD_PODS[case].message)), said


@pytest.mark.parametrize(
    "fields",
    [
        {"resourceClaims": [{"name": "device", "resourceClaimName": "device"}]},
        {"resources": {"limits": {"cpu": "64"}}},
    ],
    ids=["a claim of a device", "limits of the pod"],
)
def test_a_computer_asks_its_node_for_nothing_as_a_pod(deployed: Deployed, fields: dict[str, Any]) -> None:
    """Not among the bad pods of every cluster: an older Kubernetes drops both fields unread."""
    pod = as_computer("bad", deployed)
    pod["spec"].update(fields)
    said = refusal(as_rakazo(deployed), pod)
    assert said is not None, "accepted"
    assert said.endswith(denied(deployed, BAD_PODS["a device of the host"].message)), said


def test_probes_and_hooks_of_the_computer_itself_are_accepted(deployed: Deployed) -> None:
    """The allow twin: the kubelet calls the pod's own address where no host is named."""
    pod = as_computer("good", deployed)
    own = {"httpGet": {"port": 6080}}
    container(pod).update(livenessProbe=own, readinessProbe={"tcpSocket": {"port": 6080}}, lifecycle={"preStop": own})
    assert refusal(as_rakazo(deployed), pod) is None


@contextmanager
def _priority(deployed: Deployed, *, default: bool) -> Iterator[str]:
    """Have a class of priority that somebody made, until the end."""
    scheduling, name = client.SchedulingV1Api(deployed.api), f"{deployed.application}-usual"
    scheduling.create_priority_class({"metadata": {"name": name}, "value": 1000, "globalDefault": default})
    try:
        yield name
    finally:
        scheduling.delete_priority_class(name)


def test_a_computer_takes_no_priority_of_somebody_elses(deployed: Deployed) -> None:
    """B047: any class that is above another one pushes pods off a node."""
    pods, pod = as_rakazo(deployed), as_computer("bad", deployed)
    with _priority(deployed, default=False) as name:
        pod["spec"]["priorityClassName"] = name
        sentence_of_rule = denied(deployed, BAD_PODS["the priority of the cluster's own"].message)
        eventually(lambda: refusal(pods, pod) or "", lambda said: said.endswith(sentence_of_rule))
        assert refusal(pods, as_computer("good", deployed)) is None


def test_a_computer_gets_the_priority_that_the_cluster_gives_to_everybody(deployed: Deployed) -> None:
    """Kubernetes writes the class into the pod before our rules see it."""
    pods, pod = as_rakazo(deployed), as_computer("good", deployed)
    with _priority(deployed, default=True) as name:
        eventually(lambda: pods.create(pod, dry_run=True).spec.priority_class_name, lambda given: given == name)


def test_nobody_but_rakazos_account_creates_pods_there(deployed: Deployed) -> None:
    """Not even the administrator: what is in that namespace is a computer."""
    said = refusal(deployed.pods(deployed.computers), as_computer("good", deployed))
    assert said is not None, "a pod of the administrator's was accepted"
    assert said.endswith(denied(deployed, CREATOR)), said


def test_a_computer_that_the_mutating_policy_did_not_touch_is_refused(deployed: Deployed) -> None:
    """B066: who removes the wait stops new computers instead of opening their first seconds."""
    pods, pod = as_rakazo(deployed), as_computer("unmutated", deployed)
    with breaks.wait_missing(Cluster(deployed)):
        eventually(lambda: refusal(pods, pod), lambda said: said is not None)
        said = refusal(pods, pod)
    eventually(lambda: refusal(pods, pod), lambda again: again is None)
    assert said is not None
    assert said.endswith(denied(deployed, WAIT)), said


def test_a_running_computer_takes_no_debugging_container(deployed: Deployed, computer: Computer) -> None:
    """The one way to change what runs in a pod: closed to the administrator too."""
    debugger = {"name": "debugger", "image": deployed.images["computer"]}
    with pytest.raises(ApiException) as refused:
        client.CoreV1Api(deployed.api).patch_namespaced_pod_ephemeralcontainers(
            computer.name, deployed.computers, {"spec": {"ephemeralContainers": [debugger]}}, dry_run="All"
        )
    assert refused.value.status == REFUSED
    assert sentence(refused.value).endswith(denied(deployed, EPHEMERAL)), sentence(refused.value)


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("way", CONNECTIONS)
def test_nobody_but_rakazos_account_enters_a_computer(
    deployed: Deployed, computer: Computer, way: str, method: str
) -> None:
    """B103: not even the administrator; Rakazo's own exec is what every other test of this tier uses."""
    connect = getattr(client.CoreV1Api(deployed.api), f"connect_{method}_namespaced_pod_{way}")
    with pytest.raises(ApiException) as refused:
        connect(computer.name, deployed.computers, **CONNECTIONS[way])
    assert refused.value.status == REFUSED, refused.value.body
    assert sentence(refused.value).endswith(denied(deployed, CREATOR, "connections")), sentence(refused.value)
