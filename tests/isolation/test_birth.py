"""The first moments of a computer: what it reaches before its policy is in force."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes import birth
from probes.pods import Pods
from tests.deployments import Deployed
from tests.rakazo_account import as_computer, as_rakazo

BLOCKED = ("10.10.0.12", 10250)
"""The kubelet of the very node: the nearest blocked listener, so the widest window."""
COMPUTERS = 10
GROUP = ("admissionregistration.k8s.io", "v1")


def windows(deployed: Deployed, prefix: str, count: int = COMPUTERS) -> list[birth.Window]:
    """Start computers at once, each counting its connections to a blocked address from its first instruction."""
    making, watching = as_rakazo(deployed), deployed.pods(deployed.computers)
    names = [f"{prefix}-{number}" for number in range(count)]
    for name in names:
        making.create(as_computer(name, deployed, birth.command(*BLOCKED, seconds=4.0)))
    try:
        return [_wait(watching, name) for name in names]
    finally:
        for name in names:
            watching.delete(name)


def _wait(pods: Pods, name: str, seconds: float = 120.0) -> birth.Window:
    deadline = time.monotonic() + seconds
    pods.wait_running(name, seconds)
    while time.monotonic() < deadline:
        if found := birth.window(pods.log(name)):
            return found
        time.sleep(0.3)
    raise AssertionError(f"{name} did not finish counting in {seconds} s: {pods.explain(name)}")


@contextmanager
def without_the_wait(deployed: Deployed) -> Iterator[None]:
    """Take away the mutating policy, and the rule that refuses a computer which it did not touch."""
    admission = client.CustomObjectsApi(deployed.api)
    taken = [
        _take(admission, "mutatingadmissionpolicybindings", f"{deployed.application}-startup-wait"),
        _take(admission, "validatingadmissionpolicybindings", f"{deployed.application}-computers"),
    ]
    try:
        _until_mutation_is(deployed, present=False)
        yield
    finally:
        for plural, binding in reversed(taken):
            admission.create_cluster_custom_object(*GROUP, plural, binding)
        _until_mutation_is(deployed, present=True)


def _take(admission: client.CustomObjectsApi, plural: str, name: str) -> tuple[str, dict[str, object]]:
    """Delete a binding and return what it takes to make it again."""
    binding = admission.get_cluster_custom_object(*GROUP, plural, name)
    admission.delete_cluster_custom_object(*GROUP, plural, name)
    metadata = {key: value for key, value in binding["metadata"].items() if key in ("name", "labels", "annotations")}
    return plural, {**{key: binding[key] for key in ("apiVersion", "kind", "spec")}, "metadata": metadata}


def _until_mutation_is(deployed: Deployed, *, present: bool, seconds: float = 20.0) -> None:
    """The API server's own copy of the policies follows within seconds; wait for what it does."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            made = as_rakazo(deployed).create(as_computer("mutated", deployed), dry_run=True)
        except ApiException:
            continue  # one of the two is still in force for this server, the other is not any more
        if bool(made.spec.init_containers) is present:
            return
        time.sleep(0.2)
    raise AssertionError(f"the mutating policy is still {'absent' if present else 'in force'} after {seconds} s")


def test_no_computer_reaches_anything_blocked_in_its_first_seconds(deployed: Deployed) -> None:
    """B066: ten computers at once, from the first instruction, not one connection."""
    seen = windows(deployed, "born")
    assert birth.fault(seen) is None


def test_without_the_waiting_policy_the_window_is_open_and_found(deployed: Deployed) -> None:
    """B066: the same measurement without the mutating policy finds connections, so it can fail."""
    with without_the_wait(deployed):
        seen = windows(deployed, "early")
    wrong = birth.fault(seen)
    assert wrong is not None
    assert "mutating admission policy" in wrong
