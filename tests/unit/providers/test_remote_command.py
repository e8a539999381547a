"""Commands over SSH, against a server in this process; nothing here knows Pulumi's engine."""

import gc
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from tests.providers.call import Call, CancelledCallError
from tests.providers.command import CommandPackage, Surroundings
from tests.providers.refused import RefusedError
from tests.providers.resource_type import Resource
from tests.providers.ssh_server import SshServer

COMMAND = "command:remote:Command"
MARKER = "marker-4f1c"


@pytest.fixture(scope="module")
def key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
def server(tmp_path: Path, key: asyncssh.SSHKey) -> Iterator[SshServer]:
    with SshServer(tmp_path, key.export_public_key().decode(), accepted_environment=["LC_RAKAZO"]) as started:
        yield started


def connection(server: SshServer, key: asyncssh.SSHKey, **changes: Any) -> dict[str, Any]:
    return {
        "host": "127.0.0.1",
        "port": server.port,
        "user": "root",
        "privateKey": key.export_private_key().decode(),
        "hostKey": server.host_key,
        "dialErrorLimit": 0,
        "perDialTimeout": 5,
        **changes,
    }


def create(inputs: dict[str, Any], call: Call | None = None) -> dict[str, Any]:
    made = CommandPackage(Surroundings()).type(COMMAND).create(inputs, call or a_call())
    return made.outputs


def a_call(**options: Any) -> Call:
    return Call(urn="urn", name="command", preview=False, **options)


def test_a_command_gets_its_standard_input_and_gives_back_both_streams(server: SshServer, key: asyncssh.SSHKey) -> None:
    outputs = create(
        {"connection": connection(server, key), "create": "cat; echo there >&2; echo", "stdin": "here\n"},
    )
    assert (outputs["stdout"], outputs["stderr"]) == ("here\n", "there")


def test_a_failure_says_how_it_ended_and_what_was_printed_but_not_what_went_in(
    server: SshServer, key: asyncssh.SSHKey
) -> None:
    with pytest.raises(RefusedError) as refusal:
        create({"connection": connection(server, key), "create": "echo broken >&2; exit 7", "stdin": MARKER})
    assert str(refusal.value) == 'Process exited with status 7: running "echo broken >&2; exit 7":\nbroken\n'


def test_a_wrong_host_key_ends_it_before_anything_is_sent(server: SshServer, key: asyncssh.SSHKey) -> None:
    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    inputs = {"connection": connection(server, key, hostKey=other), "create": "true", "stdin": MARKER}
    with pytest.raises(RefusedError, match="after 0 failed attempts: ssh: handshake failed: ssh: host key mismatch"):
        create(inputs)
    assert (server.connections, server.commands) == (0, [])


def test_without_a_host_key_any_server_will_do(server: SshServer, key: asyncssh.SSHKey) -> None:
    given = connection(server, key)
    del given["hostKey"]
    assert create({"connection": given, "create": "echo in"})["stdout"] == "in"


def test_a_wrong_key_is_told_apart_from_a_wrong_host_key(server: SshServer, key: asyncssh.SSHKey) -> None:
    stranger = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()
    with pytest.raises(RefusedError, match="unable to authenticate"):
        create({"connection": connection(server, key, privateKey=stranger), "create": "true"})


@pytest.mark.parametrize("name", ["privateKey", "hostKey"])
def test_what_is_no_key_is_refused_before_anything_is_dialled_and_is_not_quoted(
    server: SshServer, key: asyncssh.SSHKey, name: str
) -> None:
    with pytest.raises(RefusedError, match=f"connection.{name}: ssh: no key found") as refusal:
        create({"connection": connection(server, key, **{name: MARKER}), "create": "true"})
    assert MARKER not in str(refusal.value)


def test_it_dials_once_more_than_the_limit_of_failures(server: SshServer, key: asyncssh.SSHKey) -> None:
    told: list[str] = []
    call = a_call(tell=lambda _severity, text, _passing: told.append(text))
    given = connection(server, key, port=1, dialErrorLimit=2)
    with pytest.raises(
        RefusedError, match=r"after 2 failed attempts: dial tcp 127\.0\.0\.1:1: connect: connection refused"
    ):
        create({"connection": given, "create": "true"}, call)
    assert told == ["Dial 1/2 failed: retrying", "Dial 2/2 failed: retrying"]


def test_a_server_that_comes_late_is_waited_for(tmp_path: Path, key: asyncssh.SSHKey) -> None:
    with SshServer(tmp_path, key.export_public_key().decode()) as early:
        port = early.port
    with SshServer(tmp_path, key.export_public_key().decode(), port=port) as late:
        tried = threading.Event()
        call = a_call(tell=lambda _severity, _text, _passing: tried.set())
        given = connection(late, key, dialErrorLimit=-1)
        assert create({"connection": given, "create": "echo late"}, call)["stdout"] == "late"


def test_an_interruption_ends_a_command_when_the_cli_is_gone(server: SshServer, key: asyncssh.SSHKey) -> None:
    call = a_call()
    timer = threading.Timer(0.3, call.gone.set)
    timer.start()
    started = time.monotonic()
    with pytest.raises(CancelledCallError):
        create({"connection": connection(server, key), "create": "sleep 60"}, call)
    assert time.monotonic() - started < 30


def test_an_interruption_ends_the_waiting_for_a_server(server: SshServer, key: asyncssh.SSHKey) -> None:
    call = a_call()
    call.cancelled.set()
    with pytest.raises(CancelledCallError):
        create({"connection": connection(server, key, port=1, dialErrorLimit=-1), "create": "true"}, call)


def test_an_environment_is_refused_unless_the_server_takes_it(server: SshServer, key: asyncssh.SSHKey) -> None:
    given = connection(server, key)
    accepted = {"connection": given, "create": 'echo "$LC_RAKAZO"', "environment": {"LC_RAKAZO": "taken"}}
    assert create(accepted)["stdout"] == "taken"
    with pytest.raises(RefusedError, match='could not set environment variable "OTHER"') as refusal:
        create({"connection": given, "create": "echo ran", "environment": {"LC_RAKAZO": "x", "OTHER": MARKER}})
    assert MARKER not in str(refusal.value)
    assert "echo ran" not in server.commands


def test_update_runs_update_or_else_create_and_delete_runs_delete(server: SshServer, key: asyncssh.SSHKey) -> None:
    kind = CommandPackage(Surroundings()).type(COMMAND)
    inputs = {"connection": connection(server, key), "create": "echo create", "delete": "echo delete"}
    made = kind.create(inputs, a_call())
    old = Resource(id=made.id, inputs=inputs, outputs=made.outputs)
    again = kind.update(old, inputs, a_call())
    assert again["stdout"] == "create"
    changed = kind.update(old, {**inputs, "update": "echo update"}, a_call())
    assert changed["stdout"] == "update"
    kind.delete(Resource(id=made.id, inputs=inputs, outputs=changed), a_call())
    assert server.commands == ["echo create", "echo create", "echo update", "echo delete"]


@pytest.mark.parametrize(
    ("logging", "shown"), [(None, {"out", "err"}), ("stdout", {"out"}), ("stderr", {"err"}), ("none", set())]
)
def test_what_a_command_prints_is_shown_as_far_as_the_program_says(
    server: SshServer, key: asyncssh.SSHKey, logging: str | None, shown: set[str]
) -> None:
    told: set[str] = set()
    call = a_call(tell=lambda _severity, text, _passing: told.add(text))
    inputs = {"connection": connection(server, key), "create": "echo out; echo err >&2"}
    create({**inputs, **({"logging": logging} if logging else {})}, call)
    assert told == shown


def test_a_server_that_ends_before_its_command_leaves_neither_a_task_nor_the_program(
    tmp_path: Path, key: asyncssh.SSHKey, caplog: pytest.LogCaptureFixture
) -> None:
    """Else the garbage collector complains of it in a later test."""
    said: list[BaseException] = []
    with SshServer(tmp_path, key.export_public_key().decode()) as server:

        def ask() -> None:
            try:
                create({"connection": connection(server, key), "create": "echo $$ >pid; exec sleep 600"})
            except RefusedError as error:
                said.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        pid, end = tmp_path / "pid", time.monotonic() + 20
        while not (pid.exists() and pid.read_text().strip()):
            assert time.monotonic() < end, "the command was not started"
            time.sleep(0.01)
    asking.join(20)
    gc.collect()
    assert len(said) == 1
    assert not Path(f"/proc/{pid.read_text().strip()}").exists()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []
