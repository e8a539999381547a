"""Stands for systemd on an embedded node: keeps containerd running and starts it anew when it is asked to.

`python -m tests.node_manager containerd …`. It answers on systemd's private socket the calls that the node installer
makes, and no others; that systemd itself answers them alike is shown on a whole Debian machine.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from components.runtimes.installer.node import bus
from components.runtimes.installer.node.systemd import SOCKET, UNIT

JOB, UNIT_PATH = "/org/freedesktop/systemd1/job/1", "/org/freedesktop/systemd1/unit/containerd_2eservice"
RESTARTED = "node manager: containerd is started anew"
"""Line of the log, once for each time."""
END_SECONDS = 20.0


class Unit:
    """containerd."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._process = subprocess.Popen(command)

    def restart(self) -> None:
        """End it and start it again; its shims, and with them the pods, live on."""
        with self._lock:
            print(RESTARTED, flush=True)
            self._process.terminate()
            self._process.wait(END_SECONDS)
            self._process = subprocess.Popen(self._command)

    @property
    def state(self) -> str:
        return "active" if self._process.poll() is None else "failed"

    def end(self) -> None:
        self._process.terminate()


def serve(link: socket.socket, unit: Unit) -> None:
    """Let root in and answer until it goes."""
    with link:
        greeting = b""
        while not greeting.endswith(b"\r\n"):
            greeting += link.recv(1)
        assert greeting.startswith(b"\0AUTH EXTERNAL "), greeting
        link.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
        assert link.recv(len(b"BEGIN\r\n"), socket.MSG_WAITALL) == b"BEGIN\r\n"
        while True:
            try:
                call = bus.receive(link)
            except ConnectionError:
                return
            link.sendall(bus.pack(answer(call, unit)))


def answer(call: bus.Message, unit: Unit) -> bus.Message:
    path, member = call.fields[bus.PATH], call.fields[bus.MEMBER]
    reply: dict[int, str | int] = {bus.REPLY_TO: call.serial}
    if member == "RestartUnit" and call.body == (UNIT, "replace"):
        unit.restart()
        return bus.Message(kind=bus.RETURN, serial=1, fields=reply, body=(JOB,))
    if member == "GetUnit" and call.body == (UNIT,):
        return bus.Message(kind=bus.RETURN, serial=1, fields=reply, body=(UNIT_PATH,))
    if member == "Get" and path == UNIT_PATH:
        return bus.Message(kind=bus.RETURN, serial=1, fields=reply, body=(unit.state,))
    refused = "org.freedesktop.DBus.Error.UnknownObject"
    return bus.Message(kind=bus.ERROR, serial=1, fields={**reply, bus.NAME_OF_ERROR: refused}, body=(f"{path}",))


def main() -> None:
    unit = Unit(sys.argv[1:])

    def end(*_: object) -> None:
        unit.end()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    path = Path("/", SOCKET)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen()
        while True:
            link, _ = listening.accept()
            threading.Thread(target=serve, args=(link, unit), daemon=True).start()


if __name__ == "__main__":
    main()
