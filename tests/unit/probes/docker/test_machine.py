"""Commands over SSH: a real server in this process, which runs them with a shell of this user's."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from probes.docker.containers import ContainerError, Containers
from probes.docker.machine import SESSIONS, Machine, Way
from probes.docker.runner import MachineError
from tests.providers.ssh_server import SshServer

KEY = asyncssh.generate_private_key("ssh-ed25519")
PRIVATE = KEY.export_private_key().decode()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SshServer]:
    with SshServer(tmp_path, KEY.export_public_key().decode()) as made:
        yield made


def way(server: SshServer, **changes: str) -> Way:
    told = {"host": "127.0.0.1", "host_key": server.host_key, "private_key": PRIVATE} | changes
    return Way(port=server.port, **told)


def test_a_command_arrives_as_it_was_written_with_its_input_and_both_outputs(server: SshServer) -> None:
    program = 'cat; printf "%s|" "$@"; echo wrong >&2; exit 7'
    with Machine(way(server)) as machine:
        did = machine.run(["sh", "-c", program, "sh", "a b", "$HOME", "'"], stdin="said ")
    assert (did.exit_code, did.output, did.errors) == (7, "said a b|$HOME|'|", "wrong\n")


def test_everything_goes_over_one_connection(server: SshServer) -> None:
    with Machine(way(server)) as machine:
        for number in range(3):
            assert machine.run(["echo", str(number)]).output == f"{number}\n"
    assert server.connections == 1


def test_another_user_becomes_root_for_each_command(server: SshServer) -> None:
    with Machine(way(server, user="admin")) as machine:
        machine.run(["true"])
    assert server.commands[0].startswith("sudo -n env PATH=/usr/local/sbin:")


def test_a_machine_with_another_key_is_told_nothing(server: SshServer) -> None:
    """Who answers at the address may be anybody; no command and no login reaches him."""
    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    with pytest.raises(MachineError, match="is not reached over SSH"), Machine(way(server, host_key=other)):
        pytest.fail("it logged in")
    assert server.connections == 0


def test_a_key_that_nobody_knows_is_an_error_that_names_the_login(server: SshServer) -> None:
    other = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()
    with pytest.raises(MachineError, match=r"root@127\.0\.0\.1"), Machine(way(server, private_key=other)):
        pytest.fail("it logged in")


def test_the_private_key_is_in_no_text() -> None:
    assert "PRIVATE KEY" not in repr(Way(host="h", host_key="k", private_key=PRIVATE))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too long is ended on the machine a second later."""
    monkeypatch.setattr("probes.docker.machine.END_SECONDS", 1.0)


@pytest.mark.usefixtures("impatient")
def test_a_command_that_does_not_end_is_named_with_its_complaint_and_not_with_its_output(server: SshServer) -> None:
    """The output may be the files of secrets."""
    with Machine(way(server)) as machine, pytest.raises(MachineError, match=r"^sh -c .* 1 s: slow$") as told:
        machine.run(["sh", "-c", 'printf "%s" "to"; echo ken; echo slow >&2; exec sleep 30'], seconds=1)
    assert "token" not in str(told.value)


def closing(monkeypatch: pytest.MonkeyPatch) -> list[asyncssh.SSHClientProcess[str]]:
    """Return the sessions that are closed from now on."""
    closed: list[asyncssh.SSHClientProcess[str]] = []
    close = asyncssh.SSHClientProcess.close

    def noting(self: asyncssh.SSHClientProcess[str]) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(asyncssh.SSHClientProcess, "close", noting)
    return closed


@pytest.mark.usefixtures("impatient")
def test_a_command_that_nobody_waits_for_any_more_has_its_session_closed(
    server: SshServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Ctrl-C reaches whoever waits; what is removed then needs the sessions."""
    closed = closing(monkeypatch)

    def interrupted(_future: object, _seconds: float) -> None:
        until((tmp_path / "begun").exists)
        raise KeyboardInterrupt

    with Machine(way(server)) as machine:
        with monkeypatch.context() as patched:
            patched.setattr("concurrent.futures.Future.result", interrupted)
            with pytest.raises(KeyboardInterrupt):
                machine.run(["sh", "-c", "touch begun; exec sleep 30"], seconds=1.5)
        until(lambda: closed, 1.0)


def until(happened: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@pytest.mark.usefixtures("impatient")
def test_a_command_that_does_not_end_is_ended_on_the_machine_and_its_session_closed(
    server: SshServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server has no room for another session before the command has ended."""
    closed = closing(monkeypatch)
    with Machine(way(server)) as machine:
        with pytest.raises(MachineError, match="did not end within 1 s"):
            machine.run(["sh", "-c", "echo $$ >process; sleep 30; true"], seconds=1)
        assert len(closed) == 1
        process = Path("/proc", (tmp_path / "process").read_text().strip())
        until(lambda: not process.exists())


def test_an_urgent_command_waits_for_no_other_one(server: SshServer, tmp_path: Path) -> None:
    """The lease is renewed while every place is taken by a command that takes long."""
    with Machine(way(server)) as machine:
        wait = ["sh", "-c", f"echo >>begun; until [ -e {tmp_path}/go ]; do sleep 0.1; done"]
        busy = [threading.Thread(target=machine.run, args=(wait,)) for _ in range(SESSIONS)]
        for each in busy:
            each.start()
        begun = tmp_path / "begun"
        until(lambda: begun.exists() and len(begun.read_text()) == SESSIONS)
        assert machine.run(["echo", "renewed"], urgent=True, seconds=10).output == "renewed\n"
        assert all(each.is_alive() for each in busy)
        (tmp_path / "go").touch()
        for each in busy:
            each.join()


def test_a_server_that_has_no_room_for_a_session_is_asked_again(
    server: SshServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenSSH counts a session until it has cleared it away, and refuses the eleventh; nothing has run then."""
    refusals = [1, 2, 3]
    create = asyncssh.SSHClientConnection.create_process

    async def full(self: asyncssh.SSHClientConnection, *arguments: Any, **named: Any) -> Any:
        if refusals:
            refusals.pop()
            raise asyncssh.ChannelOpenError(2, "open failed")
        return await create(self, *arguments, **named)

    monkeypatch.setattr(asyncssh.SSHClientConnection, "create_process", full)
    with Machine(way(server)) as machine:
        assert machine.run(["echo", "done"]).output == "done\n"
    assert refusals == []


def test_a_server_that_never_has_room_is_an_error(server: SshServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_arguments: Any, **_named: Any) -> Any:
        raise asyncssh.ChannelOpenError(2, "open failed")

    monkeypatch.setattr(asyncssh.SSHClientConnection, "create_process", full)
    monkeypatch.setattr("probes.docker.machine.FULL_SECONDS", 0.5)
    with Machine(way(server)) as machine, pytest.raises(MachineError, match="open failed"):
        machine.run(["true"])


def fake_docker(folder: Path, text: str) -> None:
    program = folder / "docker"
    program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    program.chmod(0o755)


@pytest.fixture
def containers(server: SshServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Containers]:
    """A Docker of our own first on the path that each command is given."""
    monkeypatch.setattr("probes.docker.machine.PATH", f"{tmp_path}:/usr/bin:/bin")
    with Machine(way(server)) as machine:
        yield Containers(machine)


def test_what_docker_refuses_is_told(containers: Containers, tmp_path: Path) -> None:
    fake_docker(tmp_path, 'echo "no space left on device" >&2; exit 1')
    with pytest.raises(ContainerError, match="docker network: no space left on device"):
        containers.docker("network", "create", "x")


def test_output_and_errors_of_a_container_come_in_their_order(containers: Containers, tmp_path: Path) -> None:
    fake_docker(tmp_path, 'shift 2; exec "$@"')
    ran = containers.execute("any", ["sh", "-c", "echo one; echo two >&2; echo three; exit 3"])
    assert (ran.exit_code, ran.output) == (3, "one\ntwo\nthree\n")


def test_a_container_that_is_gone_is_an_error_and_no_answer(containers: Containers, tmp_path: Path) -> None:
    fake_docker(tmp_path, 'echo "Error response from daemon: No such container: any" >&2; exit 1')
    with pytest.raises(ContainerError, match="No such container"):
        containers.execute("any", ["true"])


def test_what_went_away_meanwhile_is_left_out_and_may_be_removed(containers: Containers, tmp_path: Path) -> None:
    fake_docker(tmp_path, 'echo "[{}]"; echo "Error response from daemon: No such container: b" >&2; exit 1')
    assert containers.inspect("a", "b") == [{}]
    containers.remove("b")


def test_what_sudo_says_beside_it_makes_no_error_of_what_went_away(containers: Containers, tmp_path: Path) -> None:
    """A user who is not root has sudo complain at each command of a machine that does not know its own name."""
    sudo = "echo 'sudo: unable to resolve host box: Name or service not known' >&2"
    fake_docker(tmp_path, f"{sudo}; echo '[]'; echo 'Error: No such container: b' >&2; exit 1")
    assert containers.inspect("b") == []
    containers.remove("b")


def test_a_network_is_removed_with_whoever_is_still_on_it(containers: Containers, tmp_path: Path) -> None:
    answer = """[{"Name": "theirs", "Containers": {"web": {}, "supervisor": {}}}]"""
    fake_docker(tmp_path, f"echo \"$@\" >>{tmp_path}/asked; [ $2 != inspect ] || echo '{answer}'")
    containers.remove_networks("theirs")
    assert (tmp_path / "asked").read_text().splitlines() == [
        "network inspect theirs",
        "network disconnect --force theirs web",
        "network disconnect --force theirs supervisor",
        "network rm theirs",
    ]


def test_what_cannot_be_removed_is_an_error(containers: Containers, tmp_path: Path) -> None:
    refused = "echo 'Error response from daemon: network x has active endpoints' >&2; exit 1"
    fake_docker(tmp_path, f"[ $2 = rm ] && {{ {refused}; }}; echo '[]'")
    with pytest.raises(ContainerError, match="active endpoints"):
        containers.remove_networks("x")
