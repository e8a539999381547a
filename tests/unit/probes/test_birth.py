"""What is read from a new computer's log, what is said of it, and that the program itself counts."""

import json
import socket
import subprocess
from collections.abc import Iterator

import pytest

from components.rakazo.wait_script import Wait, render_script
from probes import birth
from probes.birth import Window

CLOSED = Window(attempts=40, opened=0, last=0.0)
SHORTLY = Window(attempts=40, opened=3, last=0.5)
LONGER = Window(attempts=40, opened=4, last=1.25)


def line(*windows: dict[str, float]) -> str:
    return f"birth {json.dumps(windows)}\n"


@pytest.mark.parametrize(
    ("log", "windows"),
    [
        ("", None),
        ("starting\nbirth", None),
        (line({"attempts": 40, "opened": 0, "last": 0.0}), (CLOSED,)),
        ("starting\n" + line({"attempts": 40, "opened": 3, "last": 0.5}), (SHORTLY,)),
        (line(vars(CLOSED), vars(SHORTLY)), (CLOSED, SHORTLY)),
    ],
    ids=["nothing yet", "not finished", "closed", "open for a while", "two addresses"],
)
def test_windows_are_read_once_they_have_been_counted(log: str, windows: tuple[Window, ...] | None) -> None:
    assert birth.windows(log) == windows


@pytest.mark.parametrize("windows", [[CLOSED], [CLOSED] * 10])
def test_windows_in_which_nothing_opened_are_closed(windows: list[Window]) -> None:
    assert birth.closed(windows)
    assert birth.told(windows) == f"{40 * len(windows)} attempts, no connection"


def test_one_open_window_among_many_is_open_and_told_with_its_figures() -> None:
    """B066: how many, how often and for how long."""
    assert not birth.closed([CLOSED, SHORTLY, LONGER])
    assert birth.told([CLOSED, SHORTLY, LONGER]) == (
        "120 attempts, 7 connections of 2 computers, the last 1.25 s after the first instruction"
    )


@pytest.mark.parametrize("windows", [[], [CLOSED, Window(attempts=0, opened=0, last=0.0)]])
def test_who_never_tried_proves_nothing(windows: list[Window]) -> None:
    with pytest.raises(ValueError, match="nothing is known of its first seconds"):
        birth.closed(windows)


def test_the_wait_in_front_of_a_computer_says_how_long_it_took() -> None:
    """The sentence is the wait's own: whoever changes one of the two is told here."""
    (printed,) = [text for text in render_script(Wait()).splitlines() if "print(" in text]
    assert '"network policies are in force after %.1f s"' in printed
    assert birth.waited("network policies are in force after 1.3 s\n") == pytest.approx(1.3)


@pytest.mark.parametrize("log", ["", "network policies are not in force after 30.0 s: the API server …"])
def test_a_wait_that_did_not_end_well_took_no_time_that_counts(log: str) -> None:
    assert birth.waited(log) is None


@pytest.fixture(params=["127.0.0.1", "::1"])
def listener(request: pytest.FixtureRequest) -> Iterator[tuple[str, int]]:
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    with socket.create_server((request.param, 0), family=family, backlog=128) as server:
        yield request.param, server.getsockname()[1]


def test_the_program_counts_what_opens_and_what_does_not_in_both_families(listener: tuple[str, int]) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        nobody = ("127.0.0.1", int(bound.getsockname()[1]))
        program = birth.command([listener, nobody], seconds=0.3)
        with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            found = birth.windows(running.stdout.readline())
            running.kill()
    assert found is not None
    opened, closed = found
    assert opened.opened == opened.attempts > 0
    assert 0 < opened.last < 0.4
    assert closed.attempts > 0
    assert (closed.opened, closed.last) == (0, 0.0)
