"""A way to a TCP port of another network namespace for what cannot be told where to open its sockets."""

import contextlib
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

Place = Callable[[], AbstractContextManager[object]]
"""Returns a block inside which this thread's new sockets, and the programs that it starts, belong to a namespace.

It is entered by several threads at once.
"""


class Relay:
    """Unix sockets, which network namespaces do not keep apart, whose connections go on over TCP in a place.

    gRPC opens its connections from threads of its own, which are in the namespace of the process.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._folder = Path(tempfile.mkdtemp(prefix="relay-"))
        self._listening: dict[str, tuple[str, socket.socket]] = {}
        self._lock = threading.Lock()

    def to(self, address: str) -> str:
        """Return the path of a socket that leads to `host:port`."""
        with self._lock:
            if address not in self._listening:
                listener = socket.socket(socket.AF_UNIX)
                path = str(self._folder / str(len(self._listening)))
                listener.bind(path)
                listener.listen()
                self._listening[address] = path, listener
                threading.Thread(target=self._accept, args=(listener, address), daemon=True).start()
            return self._listening[address][0]

    def close(self) -> None:
        """Accept nothing more; what is connected ends with its two ends."""
        with self._lock:
            for _, listener in self._listening.values():
                with contextlib.suppress(OSError):
                    listener.shutdown(socket.SHUT_RDWR)  # ends the thread's accept
                listener.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self, listener: socket.socket, address: str) -> None:
        host, _, port = address.rpartition(":")
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                with self._place():
                    far = socket.create_connection((host.strip("[]"), int(port)))
            except OSError:
                near.close()
                continue
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_pump, args=(source, target), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with source, contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
