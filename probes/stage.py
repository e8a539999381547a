"""The namespace of one verification: one run at a time, and nothing of a dead run stays."""

import datetime as dt
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from kubernetes import client
from kubernetes.client.exceptions import ApiException
from urllib3.exceptions import HTTPError

from probes.cast import LABEL
from probes.facts import Facts
from probes.pods import NOT_FOUND

LEASE = "verify"
ERRAND = "rakazo-bot-verify"
"""The computer of claim application-computer, as the application names it."""
LEASE_SECONDS = 12.0
"""A run that has not renewed its lease for so long is dead."""
RENEW_SECONDS = 3.0
GONE_SECONDS = 90.0
TAKEN = 409


class StageError(Exception):
    """The stage cannot be had; the message says why and what to do."""


class Stage:
    """Holds the verification's namespace and a lease in it; as a context manager it leaves nothing behind."""

    def __init__(self, api: client.ApiClient, facts: Facts, run: str, tell: Callable[[str], None]) -> None:
        """`run` is the id of this run; `tell` is called with what takes long."""
        self._core = client.CoreV1Api(api)
        self._leases = client.CoordinationV1Api(api)
        self._networking = client.NetworkingV1Api(api)
        self._facts = facts
        self._run = run
        self._tell = tell
        self._ended = threading.Event()
        self._taken = False
        self._renewing = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> Self:
        """Remove what a dead run left, wait for the end of a living one, and take the namespace."""
        while not self._take():
            self._wait_for_the_other()
            self.sweep()
        self._write_lease()
        self._renewing.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything of this run."""
        self._ended.set()
        self.sweep()

    def leave(self) -> None:
        """Remove what an interruption left, whenever it came; nothing of a run that never had the stage."""
        if self._taken:
            self._tell("removing what this run made; another Ctrl-C leaves it to the next run")
            self._ended.set()
            self.sweep()

    def sweep(self) -> None:
        """Remove every pod and policy that carries the label and wait until they are gone; the namespace follows.

        Kubernetes begins with a namespace five seconds after it was asked to; nothing is in it then that could harm.
        """
        facts = self._facts
        home = facts.application
        for policy in self._networking.list_namespaced_network_policy(home, label_selector=LABEL).items:
            name = policy.metadata.name
            self._ignoring_absence(self._networking.delete_namespaced_network_policy, name, home)
        # The one computer that the application made for us carries the application's labels, not ours.
        self._ignoring_absence(self._core.delete_namespaced_pod, ERRAND, facts.computers, grace_period_seconds=0)
        for namespace in (facts.computers, facts.application, facts.probes_namespace):
            for pod in self._labelled(namespace):
                self._ignoring_absence(self._core.delete_namespaced_pod, pod, namespace, grace_period_seconds=0)
        self._ignoring_absence(self._core.delete_namespace, facts.probes_namespace, grace_period_seconds=0)
        deadline = time.monotonic() + GONE_SECONDS
        while left := self._left():
            if time.monotonic() > deadline:
                raise StageError(f"after {GONE_SECONDS:.0f} s still there: {', '.join(left)}; look at their events")
            time.sleep(0.2)

    def _left(self) -> list[str]:
        facts = self._facts
        homes = (facts.computers, facts.application, facts.probes_namespace)
        left = [f"pod {home}/{pod}" for home in homes for pod in self._labelled(home)]
        home = self._namespace()
        return left if home is None or _ends(home) else [*left, f"namespace {facts.probes_namespace}"]

    def _labelled(self, namespace: str) -> list[str]:
        return [pod.metadata.name for pod in self._core.list_namespaced_pod(namespace, label_selector=LABEL).items]

    def _namespace(self) -> client.V1Namespace | None:
        try:
            return self._core.read_namespace(self._facts.probes_namespace)
        except ApiException as error:
            if error.status != NOT_FOUND:
                raise
            return None

    def _take(self) -> bool:
        labels = {LABEL: self._run, "pod-security.kubernetes.io/enforce": "baseline"}
        try:
            self._core.create_namespace({"metadata": {"name": self._facts.probes_namespace, "labels": labels}})
        except ApiException as error:
            if error.status != TAKEN:
                raise
            found = self._namespace()
            if found is not None and LABEL not in (found.metadata.labels or {}):
                raise StageError(
                    f"namespace {self._facts.probes_namespace} exists and is not a verification's; it has no label "
                    f"{LABEL}. Rename it, or delete it with: kubectl delete namespace {self._facts.probes_namespace}"
                ) from error
            return False
        self._taken = True
        return True

    def _wait_for_the_other(self) -> None:
        """Return when the namespace is gone or its lease has not been renewed for LEASE_SECONDS of our own clock.

        Times of two machines are never compared: their clocks may differ.
        """
        home = self._namespace()
        if home is not None and _ends(home):
            self._tell("waiting until Kubernetes has removed the namespace of the last verification")
            self._wait_until_removed()
            return
        self._tell("another verification was here: waiting for its end, or for a sign that it is dead")
        seen, since = self._renewed(), time.monotonic()
        while self._namespace() is not None and time.monotonic() - since < LEASE_SECONDS:
            time.sleep(0.5)
            if (now := self._renewed()) != seen:
                seen, since = now, time.monotonic()

    def _wait_until_removed(self) -> None:
        deadline = time.monotonic() + GONE_SECONDS
        while self._namespace() is not None:
            if time.monotonic() > deadline:
                name = self._facts.probes_namespace
                raise StageError(
                    f"namespace {name} is being removed and still there after {GONE_SECONDS:.0f} s; what holds it is "
                    f"told by: kubectl get namespace {name} -o yaml"
                )
            time.sleep(0.2)

    def _renewed(self) -> str | None:
        try:
            lease = self._leases.read_namespaced_lease(LEASE, self._facts.probes_namespace)
        except ApiException as error:
            if error.status != NOT_FOUND:
                raise
            return None
        return str(lease.spec.renew_time)

    def _write_lease(self) -> None:
        lease = {"metadata": {"name": LEASE}, "spec": self._lease_spec()}
        self._leases.create_namespaced_lease(self._facts.probes_namespace, lease)

    def _lease_spec(self) -> dict[str, object]:
        now = dt.datetime.now(dt.UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        return {"holderIdentity": self._run, "leaseDurationSeconds": int(LEASE_SECONDS), "renewTime": now}

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_SECONDS):
            try:
                self._leases.patch_namespaced_lease(LEASE, self._facts.probes_namespace, {"spec": self._lease_spec()})
            except (ApiException, OSError, HTTPError):
                self._tell("the verification's lease could not be renewed; trying again")

    @staticmethod
    def _ignoring_absence(call: Callable[..., object], *arguments: object, **named: object) -> None:
        try:
            call(*arguments, **named)
        except ApiException as error:
            if error.status not in (NOT_FOUND, TAKEN):  # 409: it is being removed already
                raise


def _ends(namespace: client.V1Namespace) -> bool:
    """Return whether the namespace was asked to go; Kubernetes takes nothing new into it from then on."""
    return namespace.metadata.deletion_timestamp is not None
