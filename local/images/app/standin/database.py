"""Connections to Postgres through asyncpg, and what its errors mean for a start."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import asyncpg  # type: ignore[import-not-found,import-untyped,unused-ignore]

from . import log

CONNECT_SECONDS = 300
"""Longer than the kernel's own patience (about 130 s): dropped packets stay silent that long."""
IDLE_SECONDS = 10
RECONNECT_SECONDS = 1
CHANNEL = "rakazo_events"

Error: tuple[type[Exception], ...] = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that ends in the middle of an answer
    OSError,
    TimeoutError,
)
"""Whatever a lost, refusing or unmigrated database raises."""
Denied: type[Exception] = asyncpg.InsufficientPrivilegeError
Duplicate: type[Exception] = asyncpg.UniqueViolationError


async def connect(url: str, **options: Any) -> Any:
    """Open one connection."""
    return await asyncpg.connect(url, timeout=CONNECT_SECONDS, **options)


async def pool(url: str, size: int, name: str) -> Any:
    """Open a pool that closes what has been idle for 10 s, and prove that the database answers."""
    opened = await asyncpg.create_pool(
        url,
        min_size=0,
        max_size=size,
        max_inactive_connection_lifetime=IDLE_SECONDS,
        timeout=CONNECT_SECONDS,
        server_settings={"application_name": name},
    )
    await opened.execute("SELECT 1")
    return opened


@contextlib.asynccontextmanager
async def listening(url: str, heard: Callable[[str], None]) -> AsyncIterator[None]:
    """Keep one LISTEN connection for as long as the block runs, reopening it when it is lost."""
    task = asyncio.ensure_future(_listen(url, heard))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _listen(url: str, heard: Callable[[str], None]) -> None:
    def received(_connection: Any, _process: int, _channel: str, payload: str) -> None:
        heard(payload)

    while True:
        try:
            connection = await connect(url, server_settings={"application_name": "rakazo-realtime"})
            try:
                lost = asyncio.Event()
                connection.add_termination_listener(lambda _connection, lost=lost: lost.set())
                await connection.add_listener(CHANNEL, received)
                await lost.wait()
            finally:
                await connection.close(timeout=1)
        except Error as error:
            log.complain("api", f"realtime connection lost: {error}")
        await asyncio.sleep(RECONNECT_SECONDS)
