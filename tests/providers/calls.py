"""The requests that are under way, so that an interruption reaches them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.providers.call import Call, Severity
from tests.providers.operator_log import OperatorLog


class Calls:
    """Every request under way, by the connection that it came over: one connection is one provider of one command."""

    def __init__(self, log: OperatorLog) -> None:
        self._log = log
        self._engines: dict[str, str] = {}
        self._active: dict[str, list[Call]] = {}
        self._lock = threading.Lock()

    def engine_is(self, peer: str, address: str) -> None:
        """Remember where the engine of a connection listens."""
        if address:
            self._engines[peer] = address

    @contextmanager
    def under_way(self, request: Any, context: Any) -> Iterator[Call]:
        """Yield one request as a call that can be interrupted."""
        peer = context.peer()

        def tell(severity: Severity, text: str, passing: bool) -> None:
            self._log.tell(self._engines.get(peer, ""), request.urn, severity, text, passing=passing)

        seconds, preview = getattr(request, "timeout", 0.0), getattr(request, "preview", False)
        call = Call(urn=request.urn, name=request.name, preview=preview, limit=seconds, tell=tell)
        context.add_callback(call.gone.set)
        limit = threading.Timer(seconds, call.cancelled.set) if seconds else None
        if limit:
            limit.daemon = True
            limit.start()
        with self._lock:
            self._active.setdefault(peer, []).append(call)
        try:
            yield call
        finally:
            if limit:
                limit.cancel()
            with self._lock:
                self._active[peer].remove(call)

    def cancel(self, peer: str) -> None:
        """Interrupt what came over a connection."""
        with self._lock:
            for call in self._active.get(peer, []):
                call.cancelled.set()
