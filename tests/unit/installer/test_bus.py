"""D-Bus as far as it is spoken here. That systemd understands it is shown on a whole machine."""

import socket
import threading
from pathlib import Path

import pytest

from components.runtimes.installer.node import bus, systemd
from components.runtimes.installer.node.bus import CALL, ERROR, MEMBER, NAME_OF_ERROR, PATH, REPLY_TO, RETURN, Message
from components.runtimes.installer.node.node_error import NodeError

SIGNAL = 4


@pytest.mark.parametrize(
    "message",
    [
        Message(kind=CALL, serial=7, fields={PATH: "/a", MEMBER: "Restart"}, body=("containerd.service", "replace")),
        Message(kind=RETURN, serial=1, fields={REPLY_TO: 7}),
        Message(kind=ERROR, serial=2, fields={REPLY_TO: 7, NAME_OF_ERROR: "a.b.c"}, body=("why", "")),
    ],
    ids=["call", "return", "error"],
)
def test_a_message_arrives_as_it_was_sent(message: Message) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(bus.pack(message) * 2)
        for _ in range(2):
            found = bus.receive(theirs)
            assert (found.kind, found.serial, found.body) == (message.kind, message.serial, message.body)
            assert message.fields.items() <= found.fields.items()


class Manager:
    """Answers each call with the next of the given messages."""

    def __init__(self, path: Path, answers: list[list[Message]]) -> None:
        self.calls: list[tuple[str, ...]] = []
        self._answers = answers
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(path))
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        link, _ = self._listening.accept()
        with link:
            while not link.recv(1).endswith(b"\n"):
                pass
            link.sendall(b"OK 00\r\n")
            link.recv(7, socket.MSG_WAITALL)
            for answers in self._answers:
                try:
                    call = bus.receive(link)
                except ConnectionError:
                    return
                self.calls.append((str(call.fields[MEMBER]), *call.body))
                for each in answers:
                    fields = {**each.fields, REPLY_TO: call.serial} if each.kind != SIGNAL else each.fields
                    link.sendall(bus.pack(Message(kind=each.kind, serial=9, fields=fields, body=each.body)))

    def end(self) -> None:
        self._thread.join(5)
        self._listening.close()


def returned(*body: str) -> Message:
    return Message(kind=RETURN, serial=9, fields={}, body=body)


def refused(name: str, *body: str) -> Message:
    return Message(kind=ERROR, serial=9, fields={NAME_OF_ERROR: f"org.freedesktop.{name}"}, body=body)


NEWS = Message(kind=SIGNAL, serial=9, fields={PATH: "/x", MEMBER: "JobRemoved"}, body=("news",))
FAILED = [[returned("failed")]] * 99
GONE = refused("DBus.Error.UnknownObject", "no such job")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(systemd, "POLL_SECONDS", 0.01)
    return tmp_path / "private"


def test_a_restart_is_waited_for_until_the_unit_runs(path: Path) -> None:
    manager = Manager(
        path,
        [
            [NEWS, returned("/job/1")],
            [returned("running")],
            [GONE],
            [returned("/unit/c")],
            [returned("activating")],
            [NEWS, returned("active")],
        ],
    )
    systemd.restart(str(path), seconds=5)
    manager.end()
    assert manager.calls[0] == ("RestartUnit", "containerd.service", "replace")
    assert [call[0] for call in manager.calls[1:]] == ["Get", "Get", "GetUnit", "Get", "Get"]


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([[refused("systemd1.NoSuchUnit", "not found")]], "NoSuchUnit: not found"),
        ([[returned("/job/1")]], "stopped answering"),
        (
            [[returned("/job/1")], [GONE], [returned("/unit/c")], *[[returned("failed")]] * 99],
            "it is failed; on the node",
        ),
    ],
    ids=["unknown", "gone", "failed"],
)
def test_a_unit_that_does_not_start_again_is_told(path: Path, answers: list[list[Message]], told: str) -> None:
    manager = Manager(path, answers)
    with pytest.raises(NodeError, match=told):
        systemd.restart(str(path), seconds=0.2)
    manager.end()


def test_a_node_without_systemd_is_told(path: Path) -> None:
    with pytest.raises(NodeError, match=r"systemd cannot be asked to start containerd\.service anew"):
        systemd.restart(str(path))
