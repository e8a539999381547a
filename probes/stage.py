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
        self._uid: str | None = None
        """Of the namespace that is ours; None as long as we have none."""
        self._renewing = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> Self:
        """Wait for the end of a living run, take the namespace, and remove what a dead run left elsewhere."""
        while not self._take():
            self._wait_for_the_other()
        self._write_lease()
        self._renewing.start()
        try:
            # Only now, when nobody else can have the stage: whoever still waits would remove the winner's.
            self._remove(LABEL)
            self._wait_until_gone(LABEL)
        except BaseException:
            self.leave()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything of this run."""
        self._ended.set()
        self.sweep()

    def leave(self) -> None:
        """Remove what an interruption left, whenever it came; nothing of a run that never had the stage."""
        if self._uid is not None:
            self._tell("removing what this run made; another Ctrl-C leaves it to the next run")
            self._ended.set()
            self.sweep()

    def sweep(self) -> None:
        """Remove every pod and policy of this run and wait until they are gone; the namespace follows.

        Kubernetes begins with a namespace five seconds after it was asked to; nothing is in it then that could harm.
        """
        own = f"{LABEL}={self._run}"
        self._remove(own)
        if self._uid is not None:
            self._delete_namespace(self._uid)
        self._wait_until_gone(own)

    def _remove(self, selector: str) -> None:
        """Remove pods and policies by their label, and the errand's computer unless the stage is another run's."""
        facts = self._facts
        home = facts.application
        for policy in self._networking.list_namespaced_network_policy(home, label_selector=selector).items:
            name = policy.metadata.name
            self._ignoring_absence(self._networking.delete_namespaced_network_policy, name, home)
        found = self._namespace()
        if found is None or found.metadata.uid == self._uid:
            # The one computer that the application made for us carries the application's labels, not ours.
            self._ignoring_absence(self._core.delete_namespaced_pod, ERRAND, facts.computers, grace_period_seconds=0)
        for namespace, pod in self._labelled(selector):
            self._ignoring_absence(self._core.delete_namespaced_pod, pod, namespace, grace_period_seconds=0)

    def _wait_until_gone(self, selector: str) -> None:
        deadline = time.monotonic() + GONE_SECONDS
        while left := [f"pod {namespace}/{pod}" for namespace, pod in self._labelled(selector)]:
            if time.monotonic() > deadline:
                raise StageError(f"after {GONE_SECONDS:.0f} s still there: {', '.join(left)}; look at their events")
            time.sleep(0.2)

    def _labelled(self, selector: str) -> list[tuple[str, str]]:
        """Return namespace and name of every pod with the label."""
        facts = self._facts
        return [
            (home, pod.metadata.name)
            for home in (facts.computers, facts.application, facts.probes_namespace)
            for pod in self._core.list_namespaced_pod(home, label_selector=selector).items
        ]

    def _delete_namespace(self, uid: str) -> None:
        """Ask for the end of the one namespace with this uid: another one of its name may be another run's."""
        only = client.V1DeleteOptions(grace_period_seconds=0, preconditions=client.V1Preconditions(uid=uid))
        self._ignoring_absence(self._core.delete_namespace, self._facts.probes_namespace, body=only)

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
            made = self._core.create_namespace({"metadata": {"name": self._facts.probes_namespace, "labels": labels}})
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
        self._uid = made.metadata.uid
        return True

    def _wait_for_the_other(self) -> None:
        """Return when the namespace that is there now has gone.

        It is removed when its lease has not been renewed for LEASE_SECONDS of our own clock: times of two machines are
        never compared, since their clocks may differ.
        """
        home = self._namespace()
        if home is None:
            return
        uid = str(home.metadata.uid)
        if not _ends(home):
            self._tell("another verification was here: waiting for its end, or for a sign that it is dead")
            seen, since = self._renewed(), time.monotonic()
            while time.monotonic() - since < LEASE_SECONDS and self._is_alive(uid):
                time.sleep(0.5)
                if (now := self._renewed()) != seen:
                    seen, since = now, time.monotonic()
            self._delete_namespace(uid)
        self._empty(uid)
        self._tell("waiting until Kubernetes has removed the namespace of the last verification")
        self._wait_until_removed(uid)

    def _empty(self, uid: str) -> None:
        """Remove the pods of the ending namespace with this uid: on a node that is off they would hold it for ever.

        They are listed before the namespace is looked at, so that none of them is of another run.
        """
        name = self._facts.probes_namespace
        pods = self._core.list_namespaced_pod(name, label_selector=LABEL).items
        home = self._namespace()
        if home is None or home.metadata.uid != uid:
            return
        for pod in pods:
            only = client.V1Preconditions(uid=pod.metadata.uid)
            body = client.V1DeleteOptions(grace_period_seconds=0, preconditions=only)
            self._ignoring_absence(self._core.delete_namespaced_pod, pod.metadata.name, name, body=body)

    def _is_alive(self, uid: str) -> bool:
        """Return whether the namespace with this uid is there and was not asked to go."""
        home = self._namespace()
        return home is not None and home.metadata.uid == uid and not _ends(home)

    def _wait_until_removed(self, uid: str) -> None:
        deadline = time.monotonic() + GONE_SECONDS
        while (home := self._namespace()) is not None and home.metadata.uid == uid:
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
