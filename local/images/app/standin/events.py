"""The server-sent event stream: what Postgres notifies, and a comment every five seconds."""

import asyncio
import contextlib
import json
import time
from typing import Any

from aiohttp import web

COMMENT_SECONDS = 5.0
LARGEST = 7900
"""Bytes of one notification; Postgres takes 8000."""


class Events:
    """All streams that are open in this process; they share one LISTEN connection."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[str | None]] = set()
        self._idle = asyncio.Event()
        self._idle.set()

    def heard(self, payload: str) -> None:
        """Hand an event to every stream."""
        for queue in self._queues:
            queue.put_nowait(payload)

    async def end(self, patience: float) -> None:
        """End every stream that is still open after `patience` seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), patience)
        for queue in self._queues:
            queue.put_nowait(None)

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Serve one stream until the client leaves or the service ends."""
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform"}
        )
        response.enable_chunked_encoding()
        await response.prepare(request)
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._queues.add(queue)
        self._idle.clear()
        try:
            await response.write(b": open\n\n")
            next_comment = time.monotonic() + COMMENT_SECONDS
            while True:
                try:
                    payload = await asyncio.wait_for(queue.get(), max(0.0, next_comment - time.monotonic()))
                except TimeoutError:
                    await response.write(b": still here\n\n")
                    next_comment += COMMENT_SECONDS
                    continue
                if payload is None:
                    break
                await response.write(f"data: {payload}\n\n".encode())
            await response.write_eof()
        except ConnectionError:
            pass  # the client has left
        finally:
            self._queues.discard(queue)
            if not self._queues:
                self._idle.set()
        return response


async def publish(pool: Any, kind: str, **facts: str) -> None:
    """Notify every process of this deployment."""
    payload = json.dumps({"type": kind, **facts})
    if len(payload) > LARGEST:
        payload = json.dumps({"type": kind})
    await pool.execute("SELECT pg_notify('rakazo_events', $1)", payload)
