"""Who has the stage, and what he may remove. The lease itself is proven where a real API server keeps it."""

import itertools
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes import stage as stages
from probes.cast import LABEL
from probes.stage import Stage
from tests.unit.probes.example import facts

if TYPE_CHECKING:
    from collections.abc import Callable

HOME = facts().probes_namespace


class Cluster:
    """As much of an API server as a stage needs: one namespace, pods with a label, and a lease that never moves."""

    def __init__(self) -> None:
        self.uids = map(str, itertools.count(1))
        self.uid: str | None = None
        self.ends = False
        """Whether the namespace was asked to go; it stays as long as a pod is in it."""
        self.pods: dict[tuple[str, str], str] = {}
        self.meanwhile: list[Callable[[], object]] = []
        """What others do, one thing at each wait of whoever looks."""
        self.once_gone: list[Callable[[], object]] = []
        """What they do right after somebody saw that the namespace is gone."""

    def wait(self, _seconds: float) -> None:
        """Let somebody else act."""
        if self.meanwhile:
            self.meanwhile.pop(0)()

    def end(self) -> None:
        """Remove the namespace."""
        self.uid, self.ends = None, False

    def create_namespace(self, body: dict[str, Any]) -> Any:
        """Make the namespace, once."""
        if self.uid is not None:
            raise ApiException(status=409)
        self.uid = next(self.uids)
        assert LABEL in body["metadata"]["labels"]
        return self.read_namespace(HOME)

    def read_namespace(self, _name: str) -> Any:
        """Return it as it is."""
        if self.uid is None:
            if self.once_gone:
                self.once_gone.pop(0)()
            raise ApiException(status=404)
        asked = "then" if self.ends else None
        return SimpleNamespace(metadata=SimpleNamespace(uid=self.uid, labels={LABEL: "x"}, deletion_timestamp=asked))

    def delete_namespace(self, _name: str, **named: Any) -> None:
        """Remove it, or refuse when another one was meant."""
        only = named.get("body") and named["body"].preconditions.uid
        if only and only != self.uid:
            raise ApiException(status=409)
        self.ends = True
        self._end_if_empty()

    def _end_if_empty(self) -> None:
        if self.ends and not [name for home, name in self.pods if home == HOME]:
            self.end()

    def list_namespaced_pod(self, namespace: str, label_selector: str) -> Any:
        """Return the pods with the label, or with the one value of it."""
        _, _, run = label_selector.partition("=")
        found = [name for (home, name), whose in self.pods.items() if home == namespace and run in ("", whose)]
        pods = [SimpleNamespace(name=name, uid=f"{name} of {self.pods[namespace, name]}") for name in found]
        return SimpleNamespace(items=[SimpleNamespace(metadata=pod) for pod in pods])

    def delete_namespaced_pod(self, name: str, namespace: str, **named: Any) -> None:
        """Remove a pod whose node is off, which takes an end at once, or refuse when another one was meant."""
        body = named.get("body")
        assert (body.grace_period_seconds if body else named["grace_period_seconds"]) == 0
        if (whose := self.pods.get((namespace, name))) is None:
            raise ApiException(status=404)
        if body and body.preconditions.uid != f"{name} of {whose}":
            raise ApiException(status=409)
        del self.pods[namespace, name]
        self._end_if_empty()

    def list_namespaced_network_policy(self, _namespace: str, **_named: Any) -> Any:
        """Return none."""
        return SimpleNamespace(items=[])

    def create_namespaced_lease(self, _namespace: str, _lease: object) -> None:
        """Keep nothing."""

    def read_namespaced_lease(self, _name: str, _namespace: str) -> Any:
        """Return one that is never renewed."""
        return SimpleNamespace(spec=SimpleNamespace(renew_time="then"))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    made = Cluster()
    for kind in ("CoreV1Api", "CoordinationV1Api", "NetworkingV1Api"):
        monkeypatch.setattr(client, kind, lambda _api: made)
    monkeypatch.setattr(time, "sleep", made.wait)
    monkeypatch.setattr(stages, "LEASE_SECONDS", 0.05)
    return made


def stage(run: str) -> Stage:
    return Stage(client.ApiClient(), facts(), run, lambda _line: None)


def test_who_waits_beside_another_one_does_not_remove_the_winner(cluster: Cluster) -> None:
    """Three runs: the first one ends, the second takes the stage, and the third has just seen the first one's end."""
    cluster.create_namespace({"metadata": {"labels": {LABEL: "first"}}})
    seen: list[tuple[str | None, list[str]]] = []

    def second_takes_it() -> None:
        cluster.create_namespace({"metadata": {"labels": {LABEL: "second"}}})
        cluster.pods[facts().computers, "verify-computer"] = "second"
        cluster.pods[HOME, "verify-control"] = "second"

    def second_ends() -> None:
        seen.append((cluster.uid, list(cluster.pods.values())))
        cluster.pods.clear()
        cluster.end()

    cluster.meanwhile, cluster.once_gone = [cluster.end, second_ends], [second_takes_it]
    with stage("third"):
        assert seen == [("2", ["second", "second"])]
        assert cluster.uid == "3"


def test_what_a_dead_run_left_is_removed_by_whoever_has_the_stage(cluster: Cluster) -> None:
    cluster.create_namespace({"metadata": {"labels": {LABEL: "dead"}}})
    cluster.pods = {(facts().computers, "verify-computer"): "dead", (facts().application, "verify-stray"): "dead"}
    with stage("next"):
        assert (cluster.uid, cluster.pods) == ("2", {})
    assert cluster.uid is None


@pytest.mark.parametrize("ends", [False, True], ids=["its lease ran out", "its end had begun"])
def test_a_pod_on_a_node_that_is_off_does_not_hold_the_namespace_of_a_dead_run(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, *, ends: bool
) -> None:
    monkeypatch.setattr(stages, "GONE_SECONDS", 0.01)
    cluster.create_namespace({"metadata": {"labels": {LABEL: "dead"}}})
    cluster.pods, cluster.ends = {(HOME, "verify-control"): "dead"}, ends
    with stage("next"):
        assert (cluster.uid, cluster.pods) == ("2", {})


def test_a_pod_that_took_the_name_of_a_dead_one_meanwhile_stays(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The namespace went and came back between the look at it and the deletion."""
    cluster.create_namespace({"metadata": {"labels": {LABEL: "dead"}}})
    cluster.pods, cluster.ends = {(HOME, "verify-control"): "dead"}, True
    remove = cluster.delete_namespaced_pod

    def late(name: str, namespace: str, **named: Any) -> None:
        monkeypatch.setattr(cluster, "delete_namespaced_pod", remove)
        cluster.pods[HOME, "verify-control"], cluster.uid, cluster.ends = "second", "1b", False
        remove(name, namespace, **named)

    def second_ends() -> None:
        assert cluster.pods == {(HOME, "verify-control"): "second"}
        cluster.pods.clear()
        cluster.end()

    monkeypatch.setattr(cluster, "delete_namespaced_pod", late)
    cluster.meanwhile = [second_ends]
    with stage("next"):
        assert cluster.meanwhile == []


def test_the_end_removes_nothing_of_who_took_over_meanwhile(cluster: Cluster) -> None:
    """A laptop that slept: its lease ran out, and the stage is another run's when it wakes up."""
    with stage("slept"):
        cluster.pods[facts().computers, "verify-computer"] = "slept"
        cluster.end()
        cluster.create_namespace({"metadata": {"labels": {LABEL: "next"}}})
        cluster.pods[facts().computers, "verify-neighbour"] = "next"
        cluster.pods[facts().computers, stages.ERRAND] = "next"
    assert cluster.uid == "2"
    assert set(cluster.pods.values()) == {"next"}
    assert len(cluster.pods) == 2


def test_who_cannot_remove_what_a_dead_run_left_gives_the_stage_back(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.pods[facts().computers, "verify-computer"] = "dead"
    monkeypatch.setattr(cluster, "delete_namespaced_pod", lambda *_, **__: None)
    monkeypatch.setattr(stages, "GONE_SECONDS", 0.01)
    with pytest.raises(stages.StageError, match="verify-computer"), stage("next"):
        pytest.fail("somebody else's computer is there")
    assert cluster.uid is None
