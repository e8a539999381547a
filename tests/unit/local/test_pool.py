"""Builds beside each other: how many, in which order, and what ends them."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future, wait

import pytest

from local import pool

DEADLINE = 10.0
"""Seconds; a build that waits for another one longer fails its test."""

PAUSE = 0.3
"""Seconds in which a third build would have started; on a loaded machine it could be missed, never invented."""


def test_two_are_built_at_a_time_and_no_third() -> None:
    both = threading.Barrier(2)
    third = threading.Event()

    def build(thing: int) -> bool:
        if thing >= 2:
            third.set()
            return False
        both.wait(DEADLINE)
        seen = third.wait(PAUSE)
        both.wait(DEADLINE)
        return seen

    assert pool.run(build, range(3)) == [False, False, False]
    assert third.is_set()


def test_results_come_in_the_order_of_the_things_whichever_is_built_first() -> None:
    second = threading.Event()

    def build(thing: str) -> str:
        if thing == "first":
            assert second.wait(DEADLINE)
        second.set()
        return thing.upper()

    assert pool.run(build, ["first", "second"]) == ["FIRST", "SECOND"]


def test_after_a_failure_the_running_build_is_finished_and_the_last_not_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cancelled = threading.Event()
    started, finished = set[str](), set[str]()

    def build(thing: str) -> None:
        started.add(thing)
        if thing == "broken":
            raise RuntimeError("compiler crashed")
        assert cancelled.wait(DEADLINE)
        finished.add(thing)

    def watched(tasks: Sequence[Future[None]], return_when: str) -> object:
        tasks[-1].add_done_callback(lambda _: cancelled.set())
        return wait(tasks, return_when=return_when)

    monkeypatch.setattr(pool, "wait", watched)
    with pytest.raises(RuntimeError, match="compiler crashed"):
        pool.run(build, ["long", "broken", "later", "last"])
    assert "long" in finished
    assert "last" not in started


def test_an_interrupt_starts_no_further_build(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    started: set[int] = set()

    def build(thing: int) -> None:
        started.add(thing)
        assert release.wait(DEADLINE)

    def interrupted(tasks: Sequence[Future[None]], **_: object) -> None:
        # Those that wait are cancelled before those that run may end.
        tasks[-1].add_done_callback(lambda _: release.set())
        raise KeyboardInterrupt

    monkeypatch.setattr(pool, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.run(build, range(6))
    assert started <= {0, 1}
    assert release.is_set()
