"""Carries TCP connections unread from the host's loopback to one address in the cluster."""

import asyncio
import contextlib

CHUNK_BYTES = 65536


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy one direction; its end is passed on as a half-close, so that the other direction can finish."""
    while data := await reader.read(CHUNK_BYTES):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


class Tunnel:
    """A tunnel to one address."""

    def __init__(self, host: str, port: int) -> None:
        """Lead every connection to `host`:`port`, as seen from where this program runs."""
        self._target = (host, port)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection; when the target does not answer, it is closed at once."""
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            stack.callback(writer.close)
            their_reader, their_writer = await asyncio.open_connection(*self._target)
            stack.callback(their_writer.close)
            # The first error of either direction, a reset for instance, ends both.
            async with asyncio.TaskGroup() as group:
                group.create_task(_guarded(reader, their_writer))
                group.create_task(_guarded(their_reader, writer))


async def _guarded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await _carry(reader, writer)
    except OSError:
        writer.transport.abort()
