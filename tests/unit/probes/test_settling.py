"""When a verification begins. That Kubernetes tells who is ready is proven where real pods move."""

import time

import pytest
from kubernetes import client

from probes import settling
from probes.settling import settled
from probes.surroundings import Surroundings
from tests.unit.probes.example import facts

EVERYBODY = {service.name: f"{service.name}-1" for service in facts().application_services}


def without(*gone: str) -> Surroundings:
    return Surroundings(names={name: pod for name, pod in EVERYBODY.items() if name not in gone})


def looking(monkeypatch: pytest.MonkeyPatch, *found: Surroundings) -> list[Surroundings]:
    """Let each look find the next of these, and the last one from then on; return what was found."""
    left, seen = list(found), list[Surroundings]()

    def look(_api: object, _facts: object) -> Surroundings:
        seen.append(left.pop(0) if len(left) > 1 else left[0])
        return seen[-1]

    monkeypatch.setattr(settling, "look_around", look)
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
