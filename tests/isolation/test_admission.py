"""Each admission rule refuses its bad pod and accepts Rakazo's, asked by server-side dry run."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.pods import Pods
from tests.deployments import Deployed
from tests.rakazo_account import account_client, as_computer, as_rakazo

Pod = dict[str, Any]


def container(pod: Pod) -> dict[str, Any]:
    """The one container."""
    only: dict[str, Any] = pod["spec"]["containers"][0]
    return only


STRANGER = "stranger"
"""A service account of the computers' namespace; the API server refuses one that does not exist before any rule."""

BAD: dict[str, tuple[Callable[[Pod], object], str]] = {
    "no runtime class": (lambda pod: pod["spec"].pop("runtimeClassName"), "runtimeClassName"),
    "an image by tag": (lambda pod: container(pod).update(image="localhost/rakazo-stand-in/computer:latest"), "image"),
    "the host's network": (lambda pod: pod["spec"].update(hostNetwork=True), "host"),
    "the host's processes": (lambda pod: pod["spec"].update(hostPID=True), "host"),
    "the host's files": (
        lambda pod: pod["spec"].update(volumes=[{"name": "root", "hostPath": {"path": "/"}}]),
        "hostPath",
    ),
    "a privileged container": (
        lambda pod: container(pod).update(securityContext={"privileged": True}),
        "privileged",
    ),
    "an added capability": (
        lambda pod: container(pod)["securityContext"].update(capabilities={"add": ["NET_RAW"]}),
        "capabilit",
    ),
    "a service account's token": (lambda pod: pod["spec"].update(automountServiceAccountToken=True), "oken"),
    "another service account": (
        lambda pod: pod["spec"].update(serviceAccountName=STRANGER),
        "must use the service account default",
    ),
    "a node of its choice": (lambda pod: pod["spec"].update(nodeName="system"), "nodeName"),
}


def refusal(pods: Pods, pod: Pod) -> str | None:
    """Return the API server's refusal of a dry run, or None when it accepts."""
    try:
        pods.create(pod, dry_run=True)
    except ApiException as error:
        return str(error.body)
    return None


def test_rakazos_own_pod_is_accepted(deployed: Deployed) -> None:
    """The allow twin of every rule below."""
    assert refusal(as_rakazo(deployed), as_computer("good", deployed)) is None


@pytest.fixture(scope="module")
def _stranger(deployed: Deployed) -> Iterator[None]:
    core = client.CoreV1Api(deployed.api)
    core.create_namespaced_service_account(deployed.computers, {"metadata": {"name": STRANGER}})
    yield
    core.delete_namespaced_service_account(STRANGER, deployed.computers)


@pytest.mark.usefixtures("_stranger")
@pytest.mark.parametrize("case", BAD)
def test_a_bad_pod_is_refused_with_the_reason(deployed: Deployed, case: str) -> None:
    """B047: a computer without the class, or with anything of the host, never starts."""
    spoil, word = BAD[case]
    pod = as_computer("bad", deployed)
    spoil(pod)
    said = refusal(as_rakazo(deployed), pod)
    assert said is not None, f"a pod with {case} was accepted"
    assert word in said, said


def test_nobody_but_rakazos_account_creates_pods_there(deployed: Deployed) -> None:
    """Not even the administrator: what is in that namespace is a computer."""
    said = refusal(deployed.pods(deployed.computers), as_computer("good", deployed))
    assert said is not None
    assert "rakazo" in said


def test_no_service_is_made_in_the_computers_namespace(deployed: Deployed) -> None:
    """B101: a Service there would reach every computer's environment."""
    core = client.CoreV1Api(account_client(deployed))
    with pytest.raises(ApiException) as refused:
        core.create_namespaced_service(
            deployed.computers, {"metadata": {"name": "api"}, "spec": {"ports": [{"port": 1}]}}, dry_run="All"
        )
    assert refused.value.status == 403


def test_the_strictest_pod_security_level_that_rakazos_pod_passes_is_enforced(deployed: Deployed) -> None:
    """Decided here, not assumed: `restricted` refuses the pod for runAsNonRoot, `baseline` is enforced."""
    core = client.CoreV1Api(deployed.api)
    labels = core.read_namespace(deployed.computers).metadata.labels
    assert labels["pod-security.kubernetes.io/enforce"] == "baseline"
    assert labels["pod-security.kubernetes.io/warn"] == "restricted"
    name = "strictest"
    core.create_namespace({"metadata": {"name": name, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}})
    try:
        said = refusal(deployed.pods(name), as_computer("good", deployed))
    finally:
        core.delete_namespace(name)
    assert said is not None
    assert "runAsNonRoot" in said
