"""The start-up wait, run for real against listeners on loopback.

Not shown here: that a network plugin's policy is what refuses; the isolation tier does that.
"""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from components.rakazo.wait_script import Wait, render_command

QUICK = Wait(refusals=3, interval_seconds=0.02, attempt_seconds=0.2, deadline_seconds=1.0)


@contextmanager
def listener(*, answers: bool = True) -> Iterator[int]:
    """A port that accepts connections, or one whose full queue lets them wait for ever."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(0 if not answers else 64)
        port: int = server.getsockname()[1]
        if answers:
            yield port
            return
        with socket.socket() as first, socket.socket() as second:
            for waiting in (first, second):
                waiting.setblocking(False)
                waiting.connect_ex(("127.0.0.1", port))
            yield port


def closed_port() -> int:
    with listener() as port:
        return port


def run(port: int | None, wait: Wait = QUICK) -> subprocess.CompletedProcess[str]:
    _, *options = render_command(wait)
    api = {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(port)} if port else {}
    return subprocess.run(
        [sys.executable, *options],
        env={"PATH": os.environ["PATH"], **api},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_it_ends_well_once_the_api_server_refuses() -> None:
    """B066: what refuses is the policy, since no pod is refused without one."""
    done = run(closed_port())
    assert done.returncode == 0, done.stderr
    assert "network policies are in force after" in done.stdout


def test_silence_counts_as_refused() -> None:
    """B066: some plugins drop what they forbid instead of refusing it."""
    with listener(answers=False) as port:
        done = run(port)
    assert done.returncode == 0, done.stderr


def test_it_fails_at_its_deadline_while_the_api_server_answers() -> None:
    """B066: without policies a computer does not start; it says what it saw."""
    with listener() as port:
        done = run(port)
    assert done.returncode == 1
    assert "network policies are not in force after 1.0 s" in done.stderr
    assert "the last attempt ended with: connected" in done.stderr
    assert done.stdout == ""


def test_it_goes_on_waiting_until_a_late_policy_arrives() -> None:
    """B066: connections succeed at first, and the computer starts after the first refusals in a row."""
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
    accepted = 0

    def serve() -> None:
        nonlocal accepted
        while accepted < 5:
            connection, _ = server.accept()
            connection.close()
            accepted += 1
        server.close()

    thread = threading.Thread(target=serve)
    thread.start()
    done = run(port, Wait(refusals=3, interval_seconds=0.02, attempt_seconds=0.2, deadline_seconds=10))
    thread.join(timeout=10)
    assert accepted == 5
    assert done.returncode == 0, done.stderr


def test_a_single_refusal_is_not_enough() -> None:
    """B066: rules can arrive in several steps; one refusal between two answers proves nothing."""
    with listener() as port:
        done = run(port, Wait(refusals=1000, interval_seconds=0.01, attempt_seconds=0.2, deadline_seconds=1))
    assert done.returncode == 1
    done = run(closed_port(), Wait(refusals=1000, interval_seconds=0.01, deadline_seconds=1))
    assert done.returncode == 1
    assert "Connection refused" in done.stderr


@pytest.mark.parametrize("port", [None])
def test_a_missing_address_is_no_proof_of_a_policy(port: int | None) -> None:
    """B066: whatever the script cannot judge keeps the computer from starting."""
    done = run(port)
    assert done.returncode == 1
    assert "KUBERNETES_SERVICE_HOST" in done.stderr


def test_an_address_that_cannot_be_reached_for_lack_of_a_network_is_no_proof_either() -> None:
    """B066: an unresolvable name fails at once, again and again, and is not a refusal."""
    _, *options = render_command(QUICK)
    done = subprocess.run(
        [sys.executable, *options],
        env={"KUBERNETES_SERVICE_HOST": "no such host", "KUBERNETES_SERVICE_PORT": "443"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 1
    assert "not in force" in done.stderr
