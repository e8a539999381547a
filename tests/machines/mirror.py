"""The mirror from which machines download, and the faults of one."""

from collections import Counter
from pathlib import Path
from threading import Lock
from typing import Literal
from urllib.parse import unquote, urlsplit

from tests.machines.addresses import MIRROR
from tests.machines.namespace import Namespace
from tests.machines.web_server import Request, WebServer

Fault = Literal["404", "truncated", "reset"]
KINDS: tuple[Fault, ...] = ("404", "truncated", "reset")


class Mirror:
    """Files by path; a path is compared as it is after percent-decoding."""

    url = f"http://{MIRROR}"

    def __init__(self, operator: Namespace) -> None:
        """Listen in the operator's network."""
        self._lock = Lock()
        self._files: dict[str, bytes | Path] = {}
        self._faults: dict[str, tuple[Fault, float]] = {}
        self._requests: Counter[str] = Counter()
        self._server = WebServer(operator, MIRROR, self._answer)

    def serve(self, path: str, content: bytes | Path) -> str:
        """Offer content, or a file that is read for each request, and return its URL."""
        with self._lock:
            self._files[_plain(path)] = content
        return f"{self.url}/{path.lstrip('/')}"

    def fail(self, path: str, how: Fault, *, times: float = float("inf")) -> None:
        """Answer the next `times` requests of the path with a fault; `heal` ends it earlier."""
        if how not in KINDS:
            raise ValueError(f"mirror.fail: {how!r} is no fault; there are {', '.join(KINDS)}")
        with self._lock:
            self._faults[_plain(path)] = (how, times)

    def heal(self, path: str) -> None:
        """Answer the path as it should be again."""
        with self._lock:
            self._faults.pop(_plain(path), None)

    def set_clock(self, ahead_seconds: float) -> None:
        """Say in every answer that it is so much later than it is; 0 is the truth."""
        self._server.ahead_seconds = ahead_seconds

    def requests(self, path: str) -> int:
        """How many requests there were for the path, whatever was answered."""
        with self._lock:
            return self._requests[_plain(path)]

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _take(self, path: str) -> tuple[bytes | Path | None, Fault | None]:
        """Count a request and return what is served at the path, and the fault that it meets."""
        with self._lock:
            self._requests[path] += 1
            how, times = self._faults.pop(path, (None, 0.0))
            if how is not None and times > 1:
                self._faults[path] = (how, times - 1)
            return self._files.get(path), how

    def _answer(self, request: Request) -> None:
        path = _plain(urlsplit(request.path).path)
        served, fault = self._take(path)
        if fault == "reset":
            request.reset()
        elif fault == "404" or served is None:
            request.reply(404, f"the mirror has no {path}\n".encode())
        else:
            content = served.read_bytes() if isinstance(served, Path) else served
            request.reply(200, content, sent=len(content) // 2 if fault == "truncated" else None)


def _plain(path: str) -> str:
    return "/" + unquote(path).lstrip("/")
