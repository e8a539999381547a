"""An HTTP server on the loopback address that answers as a mirror does, or as a broken one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Mirror:
    """Files by path, and what is wrong with some of them."""

    def __init__(self) -> None:
        """Serve nothing yet."""
        self.files: dict[str, bytes] = {}
        self.statuses: dict[str, list[int]] = {}
        """Statuses that the next requests of a path get before its file."""
        self.cut: dict[str, int] = {}
        """How many answers of a path end in the middle, although the header promises all of it."""
        self.requests: list[str] = []
        self.date: str | None = None
        """The clock that the answers show; None: the real one."""
        self.url = ""


@contextmanager
def running() -> Iterator[Mirror]:
    """Serve for as long as the block runs."""
    mirror = Mirror()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(mirror))
    mirror.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield mirror
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(mirror: Mirror) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            mirror.requests.append(self.path)
            waiting = mirror.statuses.get(self.path, [])
            status = waiting.pop(0) if waiting else 200 if self.path in mirror.files else 404
            content = mirror.files.get(self.path, b"") if status == 200 else b"no"
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if not body:
                return
            if status == 200 and mirror.cut.get(self.path, 0):
                mirror.cut[self.path] -= 1
                content = content[: len(content) // 2]
                self.close_connection = True
            self.wfile.write(content)

        def date_time_string(self, timestamp: float | None = None) -> str:
            return mirror.date or super().date_time_string(timestamp)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
