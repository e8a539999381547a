"""An HTTP server whose listening socket is in the operator's network; it is served by threads of the test."""

import os
import socket
import ssl
import struct
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.machines.addresses import HTTP_PORT, HTTPS_PORT
from tests.machines.namespace import Namespace

Answer = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request, answered by the server's `answer`."""

    server: "WebServer"
    timeout = 30.0
    """Seconds after which a connection on which nothing comes is closed."""
    content = b""
    """What was sent with it."""

    def do_GET(self) -> None:
        """Answer."""
        self.server.answer(self)

    def do_HEAD(self) -> None:
        """Answer without the content."""
        self.server.answer(self)

    def do_PUT(self) -> None:
        """Answer, once all of it is here."""
        self.content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.answer(self)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class' name
        """Say nothing: what was asked is kept where a test can look at it."""

    def date_time_string(self, timestamp: float | None = None) -> str:
        """Return the time that the answer says it is."""
        return super().date_time_string(time.time() + self.server.ahead_seconds if timestamp is None else timestamp)

    def reply(self, status: int, content: bytes, *, sent: int | None = None) -> None:
        """Send a whole answer, or one that promises all of the content and ends after `sent` bytes."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[:sent])

    def reset(self) -> None:
        """End the connection as a broken one ends: without an answer."""
        # Closing a socket that lingers for no time sends a reset; the server would first send that it has ended.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True


class WebServer(ThreadingHTTPServer):
    """Listens from its construction to `close`."""

    daemon_threads = True
    ahead_seconds = 0.0
    """How much its clock is ahead of the machines'."""

    def __init__(
        self, operator: Namespace, address: str, answer: Answer, secured: ssl.SSLContext | None = None
    ) -> None:
        """Listen on the address, which is one of the operator's; for HTTPS when it is `secured`."""
        self.answer = answer
        with operator.inside():
            super().__init__((address, HTTPS_PORT if secured else HTTP_PORT), Request)
        if secured:
            # Shaking hands is the thread's that answers: here it would keep everybody else waiting.
            self.socket = secured.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = Thread(target=self.serve_forever, name=f"http {address}", kwargs={"poll_interval": 0.05})
        self._thread.start()

    def server_bind(self) -> None:
        """Bind without asking a resolver for our name, as the base class does."""
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away: the tests make them do so."""

    def close(self) -> None:
        """End; connections that are open end with their clients."""
        self.shutdown()
        self._thread.join()
        self.server_close()
