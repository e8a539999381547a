"""What the answers mean, and that the probing program itself tells them apart on this machine's loopback."""

import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.reach import Answer, Destination, answers, command, listed, shell_command

ONE = Destination(name="one", address="192.0.2.1", port=80)
TWO = Destination(name="two", address="192.0.2.2", port=443)


def test_answers_are_given_by_name_in_the_order_of_the_destinations() -> None:
    assert answers([ONE, TWO], '["open", "silent"]\n') == {"one": Answer.OPEN, "two": Answer.SILENT}


@pytest.mark.parametrize(
    "output",
    [
        '["open"]',
        '["open", "open", "open"]',
        '["open", "perhaps"]',
        '["open", "broken"]',
        "",
        "Traceback (most recent call last):",
    ],
    ids=["too few", "too many", "unknown word", "not tried", "nothing", "no JSON"],
)
def test_an_output_that_is_not_one_known_answer_each_is_refused(output: str) -> None:
    """A probe that did not run must not look like a closed door."""
    with pytest.raises(ValueError, match=r"."):
        answers([ONE, TWO], output)


def test_a_host_name_is_no_destination() -> None:
    with pytest.raises(ValueError, match=r"www\.example\.org"):
        Destination(name="by name", address="www.example.org", port=80)


def test_a_report_shows_name_address_and_port() -> None:
    assert str(ONE) == "one (192.0.2.1:80)"


@pytest.fixture
def open_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


@pytest.fixture
def echo_port() -> Iterator[int]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def echo() -> None:
            data, sender = server.recvfrom(512)
            server.sendto(data, sender)

        thread = threading.Thread(target=echo)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A UDP socket that reads nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        yield server.getsockname()[1]


def test_the_program_tells_open_refused_and_silent_apart_by_tcp_and_udp(
    open_port: int, closed_port: int, echo_port: int, silent_port: int
) -> None:
    local = "127.0.0.1"
    destinations = [
        Destination(name="open", address=local, port=open_port),
        Destination(name="closed", address=local, port=closed_port),
        Destination(name="answering", address=local, port=echo_port, datagram=b"?"),
        Destination(name="silent", address=local, port=silent_port, datagram=b"?"),
        Destination(name="nobody", address=local, port=closed_port, datagram=b"?"),
    ]
    ran = subprocess.run(command(destinations, seconds=1.0), capture_output=True, text=True, check=True)
    assert answers(destinations, ran.stdout) == {
        "open": Answer.OPEN,
        "closed": Answer.REFUSED,
        "answering": Answer.OPEN,
        "silent": Answer.SILENT,
        "nobody": Answer.REFUSED,
    }
    assert len(json.loads(ran.stdout)) == len(destinations)


def test_bash_alone_tells_open_and_refused_apart(open_port: int, closed_port: int) -> None:
    """The application's image has no Python that could be counted on."""
    local = "127.0.0.1"
    destinations = [
        Destination(name="open", address=local, port=open_port),
        Destination(name="closed", address=local, port=closed_port),
        Destination(name="open again", address=local, port=open_port),
    ]
    ran = subprocess.run(shell_command(destinations, seconds=1.0), capture_output=True, text=True, check=True)
    assert listed(destinations, ran.stdout) == [Answer.OPEN, Answer.REFUSED, Answer.OPEN]


def test_a_program_that_could_not_try_says_so(silent_port: int) -> None:
    """Closed is what it would look like otherwise."""
    few = ["bash", "-c", 'ulimit -n 8; exec "$@"', "few"]
    destinations = [Destination(name=f"{n}", address="127.0.0.1", port=silent_port, datagram=b"?") for n in range(20)]
    ran = subprocess.run([*few, *command(destinations, 1.0)], capture_output=True, text=True, check=True)
    assert "broken" in json.loads(ran.stdout)
    with pytest.raises(ValueError, match="no process, memory or open file was left"):
        listed(destinations, ran.stdout)


DIALLED = "bash: line 1: /dev/tcp/192.0.2.1/80:"


@pytest.mark.parametrize(
    ("code", "said", "answer"),
    [
        (124, "", "silent"),
        (143, "", "silent"),
        (1, f"bash: connect: Connection refused\n{DIALLED} Connection refused", "refused"),
        (1, f"bash: connect: Operation not permitted\n{DIALLED} Operation not permitted", "refused"),
        (1, f"bash: connect: No route to host\n{DIALLED} No route to host", "unreachable"),
        (1, f"bash: socket: Too many open files\n{DIALLED} Too many open files", "broken"),
        (1, f"{DIALLED} No such file or directory", "broken"),
        (125, "timeout: fork system call failed: Resource temporarily unavailable", "broken"),
        (126, "timeout: failed to run command 'bash': Permission denied", "broken"),
        (127, "timeout: failed to run command 'bash': No such file or directory", "broken"),
        (127, "bash: line 3: timeout: command not found", "broken"),
        (254, "bash: fork: Cannot allocate memory", "broken"),
        (1, "timeout: invalid time interval '2.0'", "broken"),
    ],
)
def test_what_bash_says_of_itself_is_no_closed_door(tmp_path: Path, code: int, said: str, answer: str) -> None:
    program = tmp_path / "timeout"
    program.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{said}\nEND\nexit {code}\n")
    program.chmod(0o755)
    ran = subprocess.run(
        shell_command([ONE]), capture_output=True, text=True, check=True, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}
    )
    assert ran.stdout == f"0 {answer}\n"


def test_bash_is_not_asked_for_what_it_cannot_do() -> None:
    with pytest.raises(ValueError, match="bash dials TCP alone"):
        shell_command([Destination(name="by ping", address="192.0.2.1")])


@pytest.mark.parametrize("output", ["0 open\n", "0 open\n2 silent\n", "bash: command not found"])
def test_an_answer_of_bash_that_is_missing_is_refused(output: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        listed([ONE, TWO], output)


def test_a_destination_says_how_it_is_tried() -> None:
    assert str(Destination(name="one", address="fd00::1", port=80)) == "one ([fd00::1]:80)"
    assert str(Destination(name="one", address="192.0.2.1", port=53, datagram=b"?")) == "one (192.0.2.1:53 by UDP)"
    assert str(Destination(name="one", address="192.0.2.1")) == "one (192.0.2.1 by ping)"
