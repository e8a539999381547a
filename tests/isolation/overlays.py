"""Small changes of a running stack, each undone at the end: what a slip, a stranger or a broken node would do."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.pods import NOT_FOUND
from tests.deployments import Deployed

Object = dict[str, Any]
SERVER_FIELDS = ("resourceVersion", "uid", "creationTimestamp", "generation", "managedFields", "selfLink")
TURN_SECONDS = 120.0

PATHS = {
    "NetworkPolicy": ("networking.k8s.io/v1", "networkpolicies", True),
    "Role": ("rbac.authorization.k8s.io/v1", "roles", True),
    "RoleBinding": ("rbac.authorization.k8s.io/v1", "rolebindings", True),
    "RuntimeClass": ("node.k8s.io/v1", "runtimeclasses", False),
    "ValidatingAdmissionPolicyBinding": ("admissionregistration.k8s.io/v1", "validatingadmissionpolicybindings", False),
    "MutatingAdmissionPolicyBinding": ("admissionregistration.k8s.io/v1", "mutatingadmissionpolicybindings", False),
    "Deployment": ("apps/v1", "deployments", True),
    "LimitRange": ("v1", "limitranges", True),
    "ResourceQuota": ("v1", "resourcequotas", True),
    "ConfigMap": ("v1", "configmaps", True),
}
"""API version, plural, and whether the kind lives in a namespace."""


class Cluster:
    """The deployed stack's cluster with the administrator's rights, for objects of any kind."""

    def __init__(self, deployed: Deployed) -> None:
        self.deployed = deployed

    def get(self, kind: str, name: str, namespace: str | None = None) -> Object:
        """Return an object as the API server has it."""
        found: Object = self._call("GET", self._path(kind, namespace, name))
        return found

    def create(self, kind: str, body: Object, namespace: str | None = None) -> None:
        """Create an object."""
        self._call("POST", self._path(kind, namespace), {"apiVersion": PATHS[kind][0], "kind": kind, **body})

    def replace(self, kind: str, body: Object, namespace: str | None = None) -> None:
        """Write an object over the one of its name."""
        self._call("PUT", self._path(kind, namespace, body["metadata"]["name"]), body)

    def delete(self, kind: str, name: str, namespace: str | None = None) -> None:
        """Delete an object and wait until it is gone."""
        path = self._path(kind, namespace, name)
        self._call("DELETE", path)
        deadline = time.monotonic() + TURN_SECONDS
        while time.monotonic() < deadline:
            try:
                self._call("GET", path)
            except ApiException as error:
                if error.status != NOT_FOUND:
                    raise
                return
            time.sleep(0.1)
        raise AssertionError(f"{kind} {name} is still there")

    def _call(self, method: str, path: str, body: Object | None = None) -> Any:
        api, json = self.deployed.api, "application/json"
        request = api.param_serialize(
            method, path, header_params={"Accept": json, "Content-Type": json}, body=body, auth_settings=["BearerToken"]
        )
        answer = api.call_api(*request)
        answer.read()
        return api.response_deserialize(answer, dict.fromkeys(("200", "201", "202"), "object")).data

    @staticmethod
    def _path(kind: str, namespace: str | None, name: str = "") -> str:
        version, plural, namespaced = PATHS[kind]
        root = f"/api/{version}" if "/" not in version else f"/apis/{version}"
        place = f"{root}/namespaces/{namespace}" if namespaced else root
        return f"{place}/{plural}" + (f"/{name}" if name else "")


def without_server_fields(body: Object) -> Object:
    """Return an object as somebody would write it, so that it can be made again."""
    kept = {key: value for key, value in body["metadata"].items() if key not in SERVER_FIELDS}
    return {**{key: value for key, value in body.items() if key != "status"}, "metadata": kept}


@contextmanager
def removed(cluster: Cluster, kind: str, names: list[str], namespace: str | None = None) -> Iterator[None]:
    """Delete objects and make them again."""
    kept = [without_server_fields(cluster.get(kind, name, namespace)) for name in names]
    for name in names:
        cluster.delete(kind, name, namespace)
    try:
        yield
    finally:
        for body in kept:
            cluster.create(kind, body, namespace)


@contextmanager
def added(cluster: Cluster, kind: str, body: Object, namespace: str | None = None) -> Iterator[None]:
    """Create an object and delete it."""
    cluster.create(kind, body, namespace)
    try:
        yield
    finally:
        cluster.delete(kind, body["metadata"]["name"], namespace)


@contextmanager
def changed(
    cluster: Cluster, kind: str, name: str, change: Callable[[Object], object], namespace: str | None = None
) -> Iterator[None]:
    """Change an object and write back what it was."""
    before = cluster.get(kind, name, namespace)
    after = cluster.get(kind, name, namespace)
    change(after)
    cluster.replace(kind, after, namespace)
    try:
        yield
    finally:
        now = cluster.get(kind, name, namespace)
        before["metadata"]["resourceVersion"] = now["metadata"]["resourceVersion"]
        cluster.replace(kind, before, namespace)


@contextmanager
def remade(
    cluster: Cluster, kind: str, name: str, change: Callable[[Object], object], namespace: str | None = None
) -> Iterator[None]:
    """Delete an object whose fields cannot change, make a changed one, and at the end the old one again."""
    before = without_server_fields(cluster.get(kind, name, namespace))
    after = without_server_fields(cluster.get(kind, name, namespace))
    change(after)
    cluster.delete(kind, name, namespace)
    cluster.create(kind, after, namespace)
    try:
        yield
    finally:
        cluster.delete(kind, name, namespace)
        cluster.create(kind, before, namespace)


@contextmanager
def rolled_out(cluster: Cluster, name: str, change: Callable[[Object], object]) -> Iterator[None]:
    """Change a Deployment of the application and wait until only changed pods run; the same on the way back."""
    namespace = cluster.deployed.application
    with changed(cluster, "Deployment", name, change, namespace):
        _wait_for_rollout(cluster, name)
        yield
    _wait_for_rollout(cluster, name)


def _wait_for_rollout(cluster: Cluster, name: str) -> None:
    namespace = cluster.deployed.application
    deadline = time.monotonic() + TURN_SECONDS
    while True:
        found = cluster.get("Deployment", name, namespace)
        wanted, status = found["spec"]["replicas"], found.get("status", {})
        current = status.get("observedGeneration", 0) >= found["metadata"]["generation"]
        counts = [status.get(key, 0) for key in ("replicas", "updatedReplicas", "readyReplicas")]
        selector = f"app.kubernetes.io/instance={namespace},app.kubernetes.io/component={name.removeprefix('rakazo-')}"
        pods = client.CoreV1Api(cluster.deployed.api).list_namespaced_pod(namespace, label_selector=selector).items
        if current and counts == [wanted] * 3 and len(pods) == wanted:
            return
        assert time.monotonic() < deadline, f"{name} did not turn: {status}"
        time.sleep(0.3)
