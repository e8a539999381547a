"""How a greedy computer is told to begin."""

from types import SimpleNamespace
from typing import Any

import pytest
from kubernetes import client

from probes import watched
from probes.pods import PodError
from probes.prober import Ran

POD: Any = client.V1Pod(metadata=client.V1ObjectMeta(name="verify-hog"))


def told(monkeypatch: pytest.MonkeyPatch, exit_code: int, looks: list[bool]) -> None:
    """Tell it, where the command ends so, and the looks at the pod see whether its container has ended."""

    def read(_scene: object, _name: str) -> Any:
        ended = looks.pop(0) if len(looks) > 1 else looks[0]
        state = SimpleNamespace(terminated=SimpleNamespace(reason="OOMKilled") if ended else None)
        status = SimpleNamespace(state=state, last_state=SimpleNamespace(terminated=None))
        return SimpleNamespace(status=SimpleNamespace(container_statuses=[status]))

    monkeypatch.setattr(watched, "_read", read)
    monkeypatch.setattr(watched, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(watched, "TOLD_SECONDS", 0.2)
    answer = Ran(exit_code=exit_code, output="connection reset by peer")
    scene: Any = SimpleNamespace(computers=SimpleNamespace(execute=lambda _name, _command: answer))
    watched.go(scene, POD)


def test_one_that_is_told_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, 0, [False])


def test_one_that_is_ended_before_the_command_that_told_it_was_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under gVisor the whole sandbox goes, with every command in it."""
    told(monkeypatch, 128, [False, False, True])


def test_one_that_lives_and_was_not_told_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PodError, match="touch /tmp/go in verify-hog: connection reset by peer"):
        told(monkeypatch, 128, [False])
