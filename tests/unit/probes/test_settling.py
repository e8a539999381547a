"""When a verification begins. That Kubernetes tells who is ready is proven where real pods move."""

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from kubernetes import client

from probes import settling
from probes.settling import settled
from probes.surroundings import Surroundings
from tests.unit.probes.example import facts

EVERYBODY = {service.name: f"{service.name}-1" for service in facts().application_services}


def without(*gone: str) -> Surroundings:
    return Surroundings(names={name: pod for name, pod in EVERYBODY.items() if name not in gone})


def workload(name: str, *, generation: int = 2, seen: int = 2, replicas: int = 2, updated: int = 2) -> SimpleNamespace:
    """A Deployment or a StatefulSet that wants two replicas."""
    return SimpleNamespace(
        metadata=SimpleNamespace(labels={"app.kubernetes.io/component": name}, generation=generation),
        spec=SimpleNamespace(replicas=2),
        status=SimpleNamespace(observed_generation=seen, replicas=replicas, updated_replicas=updated),
    )


def listing(*found: SimpleNamespace) -> Callable[..., SimpleNamespace]:
    def listed(_api: object, namespace: str, *, label_selector: str) -> SimpleNamespace:
        assert namespace == facts().application
        assert label_selector == f"app.kubernetes.io/instance={namespace},app.kubernetes.io/component"
        return SimpleNamespace(items=list(found))

    return listed


def looking(monkeypatch: pytest.MonkeyPatch, *found: Surroundings) -> list[Surroundings]:
    """Let each look find the next of these, and the last one from then on; return what was found."""
    left, seen = list(found), list[Surroundings]()

    def look(_api: object, _facts: object) -> Surroundings:
        seen.append(left.pop(0) if len(left) > 1 else left[0])
        return seen[-1]

    monkeypatch.setattr(settling, "look_around", look)
    monkeypatch.setattr(client.AppsV1Api, "list_namespaced_deployment", listing())
    monkeypatch.setattr(client.AppsV1Api, "list_namespaced_stateful_set", listing())
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    return seen


def test_it_begins_at_once_when_everybody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, told = looking(monkeypatch, without()), list[str]()
    assert settled(client.ApiClient(), facts(), told.append).names == EVERYBODY
    assert (len(seen), told) == (1, [])


def test_it_waits_for_who_was_moved_and_says_for_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = looking(monkeypatch, without("api", "worker"), without("api", "worker"), without("worker"), without())
    told = list[str]()
    assert settled(client.ApiClient(), facts(), told.append).names == EVERYBODY
    assert len(seen) == 4
    assert told == ["waiting until these are ready: api, worker", "waiting until these are ready: worker"]


def test_who_never_comes_is_left_to_the_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    looking(monkeypatch, without("worker"))
    assert "worker" not in settled(client.ApiClient(), facts(), lambda _line: None, seconds=0.0).names


@pytest.mark.parametrize("kind", ["deployment", "stateful_set"])
@pytest.mark.parametrize(
    "changing",
    [
        pytest.param({"generation": 3}, id="nobody-has-looked-at-the-change"),
        pytest.param({"replicas": 3, "updated": 1}, id="an-old-pod-is-there-beside-a-new-one"),
        pytest.param({"updated": 0}, id="all-are-old"),
        pytest.param({"replicas": 1, "updated": 1}, id="one-is-missing"),
    ],
)
def test_it_waits_until_no_pod_is_to_be_replaced(
    monkeypatch: pytest.MonkeyPatch, kind: str, changing: dict[str, int]
) -> None:
    """Pulumi may come back from an update of web before its first new pod is there, and the old one then ends."""
    looking(monkeypatch, without())
    states = [workload("web", **changing), workload("web")]
    answers = [listing(state) for state in states]

    def listed(api: object, namespace: str, *, label_selector: str) -> SimpleNamespace:
        return answers.pop(0)(api, namespace, label_selector=label_selector)

    monkeypatch.setattr(client.AppsV1Api, f"list_namespaced_{kind}", listed)
    told = list[str]()
    settled(client.ApiClient(), facts(), told.append)
    assert told == ["waiting until these are ready: web"]
    assert not answers
