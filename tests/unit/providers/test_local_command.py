"""Commands beside the CLI, copies over SFTP, and the way into another place."""

import socket
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from tests.providers.call import Call
from tests.providers.command import CommandPackage, Surroundings
from tests.providers.refused import RefusedError
from tests.providers.relay import Relay
from tests.providers.ssh_server import SshServer
from tests.providers.values import ARCHIVE, ASSET, SIGNATURE

MARKER = "marker-90aa"


def a_call(**options: Any) -> Call:
    return Call(urn="urn", name="command", preview=False, **options)


def run(folder: Path, **inputs: Any) -> dict[str, Any]:
    package = CommandPackage(Surroundings(folder=folder, environment={"FROM": "surroundings"}))
    return package.type("command:local:Command").create(inputs, a_call()).outputs


def test_it_has_a_folder_an_environment_and_standard_input(tmp_path: Path) -> None:
    outputs = run(tmp_path, create="pwd; cat; echo $FROM $OWN >&2", stdin="in", environment={"OWN": "own"})
    assert (outputs["stdout"], outputs["stderr"]) == (f"{tmp_path}\nin", "surroundings own")


def test_it_may_have_another_interpreter(tmp_path: Path) -> None:
    assert run(tmp_path, create="print(1 + 1)", interpreter=["python3", "-c"])["stdout"] == "2"


def test_a_failure_names_exit_status_and_output_but_not_what_went_in(tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as refusal:
        run(tmp_path, create="echo oops >&2; exit 3", stdin=MARKER, environment={"SECRET": MARKER})
    assert str(refusal.value) == 'exit status 3: running "echo oops >&2; exit 3":\noops\n'


def test_what_the_stand_in_does_not_do_is_refused_and_not_left_out() -> None:
    kind = CommandPackage(Surroundings()).type("command:local:Command")
    assert [each.path for each in kind.check({"create": "true", "assetPaths": ["*"]})] == ["assetPaths"]


def test_an_interruption_kills_a_command(tmp_path: Path) -> None:
    package = CommandPackage(Surroundings(folder=tmp_path))
    call = a_call()
    threading.Timer(0.2, call.cancelled.set).start()
    with pytest.raises(RefusedError, match="signal: 9"):
        package.type("command:local:Command").create({"create": "exec sleep 60"}, call)


@pytest.fixture
def target(tmp_path: Path) -> Iterator[tuple[SshServer, dict[str, Any]]]:
    key = asyncssh.generate_private_key("ssh-ed25519")
    (tmp_path / "far").mkdir()
    with SshServer(tmp_path / "far", key.export_public_key().decode()) as server:
        yield (
            server,
            {
                "host": "127.0.0.1",
                "port": server.port,
                "privateKey": key.export_private_key().decode(),
                "hostKey": server.host_key,
                "dialErrorLimit": 0,
            },
        )


def copy(tmp_path: Path, connection: dict[str, Any], source: dict[str, Any], remote: str) -> None:
    package = CommandPackage(Surroundings(folder=tmp_path))
    inputs = {"connection": connection, "source": source, "remotePath": remote}
    package.type("command:remote:CopyToRemote").create(inputs, a_call())


def test_copies_land_where_the_real_provider_puts_them(
    tmp_path: Path, target: tuple[SshServer, dict[str, Any]]
) -> None:
    _, connection = target
    near, far = tmp_path / "near", tmp_path / "far"
    (near / "deep").mkdir(parents=True)
    (near / "file").write_text("file")
    (near / "deep" / "inner").write_text("inner")
    copy(tmp_path, connection, {SIGNATURE: ASSET, "text": "text"}, "/new/folder/text")
    copy(tmp_path, connection, {SIGNATURE: ASSET, "path": "near/file"}, "/new/folder")
    copy(tmp_path, connection, {SIGNATURE: ARCHIVE, "path": "near"}, "/new")
    copy(tmp_path, connection, {SIGNATURE: ARCHIVE, "assets": {"a/b": {SIGNATURE: ASSET, "text": "ab"}}}, "/assets")
    found = {str(each.relative_to(far)): each.read_text() for each in far.rglob("*") if each.is_file()}
    assert found == {
        "new/folder/text": "text",
        "new/folder/file": "file",
        "new/near/file": "file",
        "new/near/deep/inner": "inner",
        "assets/a/b": "ab",
    }
    with pytest.raises(RefusedError, match="is a directory"):
        copy(tmp_path, connection, {SIGNATURE: ASSET, "text": "text"}, "/new")
    with pytest.raises(RefusedError, match="no such file"):
        copy(tmp_path, connection, {SIGNATURE: ASSET, "path": "near/nothing"}, "/new")


def test_a_relay_opens_its_connections_inside_the_place() -> None:
    entered = threading.Event()

    @contextmanager
    def place() -> Iterator[None]:
        entered.set()
        yield

    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(connection.recv(100).upper())

    inside: AbstractContextManager[socket.socket] = socket.create_server(("127.0.0.1", 0))
    with inside as listener:
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        relay = Relay(place)
        with socket.socket(socket.AF_UNIX) as near:
            near.connect(relay.to(f"127.0.0.1:{listener.getsockname()[1]}"))
            near.sendall(b"through")
            assert near.recv(100) == b"THROUGH"
        thread.join()
        relay.close()
    assert entered.is_set()
