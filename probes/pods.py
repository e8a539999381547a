"""Pods on the far side of the Kubernetes API: make, run a command in, and remove them."""

import json
import time
from typing import Any

import yaml
from kubernetes import client
from kubernetes.client.exceptions import ApiException
from kubernetes.stream import stream
from websocket import WebSocketException

from probes.prober import ProbeError, Ran

NOT_FOUND = 404


class PodError(ProbeError):
    """A pod did not become what was asked; the message holds its state and events."""


def spec(name: str, image: str, command: list[str] | None = None, **more: Any) -> dict[str, Any]:
    """Return a pod that Pod Security's `restricted` accepts; `more` is merged into its spec."""
    container: dict[str, Any] = {
        "name": "main",
        "image": image,
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    if command is not None:
        container["command"] = command
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {
            "automountServiceAccountToken": False,
            "enableServiceLinks": False,
            "terminationGracePeriodSeconds": 0,
            "containers": [container],
            **more,
        },
    }


class Pods:
    """The pods of one namespace."""

    def __init__(self, api: client.ApiClient, namespace: str) -> None:
        """`api` is a client of the cluster; nothing is called before a method is."""
        self.namespace = namespace
        self._configuration = api.configuration
        self._api = client.CoreV1Api(api)

    def create(self, pod: dict[str, Any], *, dry_run: bool = False) -> client.V1Pod:
        """Create a pod, or with `dry_run` only ask admission; raises ApiException with the refusal."""
        return self._api.create_namespaced_pod(self.namespace, pod, **({"dry_run": "All"} if dry_run else {}))

    def start(self, pod: dict[str, Any], seconds: float = 90.0) -> client.V1Pod:
        """Create a pod and wait until it runs; raise PodError with its state after `seconds`."""
        self.create(pod)
        return self.wait_running(pod["metadata"]["name"], seconds)

    def wait_running(self, name: str, seconds: float = 90.0) -> client.V1Pod:
        """Wait until every container of the pod is ready; PodError as soon as one before them has failed."""
        deadline = time.monotonic() + seconds
        while True:
            pod = self._api.read_namespaced_pod(name, self.namespace)
            statuses = pod.status.container_statuses or []
            if pod.status.phase == "Running" and statuses and all(each.ready for each in statuses):
                return pod
            first = [each for each in pod.status.init_container_statuses or [] if each.restart_count]
            if time.monotonic() > deadline or pod.status.phase in ("Failed", "Succeeded") or first:
                raise PodError(f"pod {self.namespace}/{name} is {pod.status.phase}:\n{self.explain(name)}")
            time.sleep(0.2)

    def execute(self, name: str, command: list[str], seconds: int = 60) -> Ran:
        """Run a command in the pod's first container.

        ApiException when the API server refuses, PodError when the command does not end, or nobody tells how it ended.

        With a client of its own: `stream` changes the one it is given for as long as the call takes, which another
        thread would notice.
        """
        session = stream(
            client.CoreV1Api(client.ApiClient(self._configuration)).connect_get_namespaced_pod_exec,
            name,
            self.namespace,
            command=command,
            stdout=True,
            stderr=True,
            stdin=False,
            tty=False,
            _preload_content=False,
        )
        what = f"{command[0]} in {self.namespace}/{name}"
        try:
            session.run_forever(timeout=seconds)
            if session.is_open():
                raise PodError(f"{what} did not end within {seconds} s: {session.read_all()[-500:]}")
            exit_code = session.returncode or 0  # before read_all, which empties the channel that holds it
        # The connection may break off; and the client reads a number out of whatever the API server says went wrong,
        # also when it says nothing, or half of it.
        except (WebSocketException, yaml.YAMLError, ValueError, TypeError, LookupError) as error:
            raise PodError(f"{what} did not run, or nobody told how it ended: {error}") from error
        finally:
            session.close()
            session.sock.shutdown()  # close() alone leaves the socket open when the other side closed first
        return Ran(exit_code=exit_code, output=session.read_all())

    def log(self, name: str) -> str:
        """Return what the pod's main container printed so far."""
        return str(self._api.read_namespaced_pod_log(name, self.namespace))

    def address(self, name: str) -> str:
        """Return the pod's IPv4 address."""
        return str(self._api.read_namespaced_pod(name, self.namespace).status.pod_ip)

    def delete(self, name: str, seconds: float = 60.0) -> None:
        """Delete a pod and wait until it is gone; a pod that is gone already is fine.

        A controller may make another one of the same name at once, so the pod is known by its uid.
        """
        try:
            uid = self._api.read_namespaced_pod(name, self.namespace).metadata.uid
            self._api.delete_namespaced_pod(name, self.namespace, grace_period_seconds=0)
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                if self._api.read_namespaced_pod(name, self.namespace).metadata.uid != uid:
                    return
                time.sleep(0.1)
        except ApiException as error:
            if error.status != NOT_FOUND:
                raise
            return
        raise PodError(f"pod {self.namespace}/{name} is still there {seconds:.0f} s after its deletion")

    def explain(self, name: str) -> str:
        """Return the pod's container states and events, for the message of a failure."""
        pod = self._api.read_namespaced_pod(name, self.namespace)
        states = [f"{each.name}: {each.state}" for each in pod.status.container_statuses or []]
        first = pod.status.init_container_statuses or []
        states += [f"{each.name}: {each.state}, before: {each.last_state}" for each in first]
        events = self._api.list_namespaced_event(self.namespace, field_selector=f"involvedObject.name={name}").items
        return "\n".join([*states, *(f"{event.reason}: {event.message}" for event in events)])


def said(error: Exception) -> str:
    """Return what a failure says; of an API server's answer its sentence, without the headers.

    It is JSON also where a protocol of its own was asked for.
    """
    if not isinstance(error, ApiException):
        return str(error)
    try:
        return str(json.loads(error.body or "{}").get("message") or error.reason)
    except ValueError:
        return str(error.reason)
