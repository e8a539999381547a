"""Which answers of `/health` are health."""

import json
from typing import Any

import pytest

from probes import health
from probes.http_over_bash import Answer

WELL = {"ok": True, "runtime": "pi", "sandbox": "kubernetes", "jobs": "graphile", "revision": "4f1c2"}


def answer(body: Any, status: int = 200, kind: str = "application/json") -> Answer:
    return Answer(status=status, kind=kind, body=body if isinstance(body, str) else json.dumps(body))


@pytest.mark.parametrize("body", [WELL, {"ok": True}, {}], ids=["all of it", "liveness alone", "nothing told"])
def test_a_release_that_tells_less_is_as_well_as_one_that_tells_all(body: dict[str, Any]) -> None:
    assert health.fault(answer(body)) is None


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (answer("<!doctype html>", kind="text/html"), "text/html, not JSON"),
        (answer(WELL, status=500), "status 500"),
        (answer(WELL | {"ok": False}), "ok is False"),
        (answer(WELL | {"sandbox": "docker"}), "sandbox is 'docker'"),
        (answer([1]), "no object"),
        (answer("{", kind="application/json"), "Expecting property name"),
    ],
    ids=["web's page", "an error", "not ok", "another provider", "a list", "half of a document"],
)
def test_anything_else_is_a_fault_that_says_what_came(given: Answer, wrong: str) -> None:
    """B120, B121: web says 200 to everything."""
    said = health.fault(given)
    assert said is not None
    assert wrong in said


@pytest.mark.parametrize(
    ("given", "revision"),
    [(answer(WELL), "4f1c2"), (answer(WELL | {"revision": None}), ""), (answer("<p>", kind="text/html"), "")],
)
def test_a_revision_is_read_where_there_is_one(given: Answer, revision: str) -> None:
    assert health.revision(given) == revision


def test_a_report_shows_the_fields_that_matter() -> None:
    assert health.summary(answer(WELL)) == "status 200, ok true, sandbox kubernetes, runtime pi, jobs graphile"
