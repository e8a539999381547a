"""What an errand says when the application makes no computer for it."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from probes import errand
from probes.claim import Evidence
from probes.http_over_bash import Answer

FULL = {"error": "docker", "status": 429, "message": "Computer limit reached for space (max: 4)"}
BROKEN = {"error": "docker", "status": 500, "message": "no space left on device"}


class Scene:
    """A verification that always has room."""

    run_id = "0badc0de"

    @contextlib.contextmanager
    def room(self) -> Iterator[None]:
        """Hold nothing."""
        yield


def ran(monkeypatch: pytest.MonkeyPatch, status: int, body: dict[str, Any]) -> list[Evidence]:
    answer = Answer(status=status, kind="application/json", body=json.dumps(body))
    monkeypatch.setattr(errand, "call", lambda *_arguments, **_named: answer)
    scene: Any = Scene()
    return list(errand.errand(scene, lambda _computer: iter(())))


def test_a_space_that_is_full_says_nothing_about_the_application(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rakazo is as well as before with all of its computers running: the claim must not fail for it."""
    (found,) = ran(monkeypatch, 502, FULL)
    assert found.holds is None
    assert "max: 4" in found.seen
    assert "computers.maximum" in found.seen


def test_any_other_refusal_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = ran(monkeypatch, 502, BROKEN)
    assert found.holds is False
    assert "no space left" in found.seen


def test_who_asks_for_a_sign_in_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = ran(monkeypatch, 401, {})
    assert found.holds is None
