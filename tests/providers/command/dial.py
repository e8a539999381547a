"""Reaching a machine over SSH, with the patience of the real provider."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import asyncssh

from tests.providers.call import Call, CancelledCallError
from tests.providers.command.connection import Connection
from tests.providers.command.surroundings import Surroundings
from tests.providers.refused import RefusedError
from tests.providers.relay import Place

_DELAY, _FACTOR, _LONGEST = 0.1, 1.5, 5.0
"""Seconds between attempts: the first, the growth, the limit (pulumi/sdk, util/retry)."""
_KEEPALIVE_SECONDS, _KEEPALIVE_PROBES = 15, 9
"""What Go's dialer sets: how a machine that was switched off and on again is noticed."""
_LOOK_SECONDS = 0.1

T = TypeVar("T")


@contextlib.asynccontextmanager
async def connected(
    connection: Connection, surroundings: Surroundings, call: Call
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """Yield a connection that is ready for commands; RefusedError after the last attempt.

    As with the real provider, a wrong host key and a refused login are attempts like any other.
    """
    place = surroundings.place
    async with contextlib.AsyncExitStack() as stack:
        tunnel = None
        if connection.proxy:
            proxy = connection.proxy
            way = proxy.options(surroundings.agent)
            tunnel = await _patiently(lambda: _dial(proxy, way, place), "Dial proxy", proxy, call)
            await stack.enter_async_context(tunnel)
        options = connection.options(surroundings.agent)
        hop = await _patiently(lambda: _dial(connection, options, place, tunnel), "Dial", connection, call)
        yield await stack.enter_async_context(hop)


async def interruptible(work: Awaitable[T], interrupted: Callable[[], bool]) -> T:
    """Do the work; CancelledCallError, with the work stopped, as soon as it is interrupted."""
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.wait([task], timeout=_LOOK_SECONDS)
        if interrupted() and not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise CancelledCallError
    return task.result()


async def _patiently(attempt: Callable[[], Awaitable[T]], what: str, connection: Connection, call: Call) -> T:
    def interrupted() -> bool:
        return call.cancelled.is_set() or call.gone.is_set()

    limit, failed, delay = connection.dial_error_limit, 0, _DELAY
    while True:
        try:
            return await interruptible(attempt(), interrupted)
        except (OSError, asyncssh.Error) as error:
            if failed >= limit > -1:
                raise RefusedError(f"after {failed} failed attempts: {_reason(error, connection)}") from None
        failed += 1
        call.tell("info", f"{what} {failed}/{'inf' if limit < 0 else limit} failed: retrying", True)
        await interruptible(asyncio.sleep(delay), interrupted)
        delay = min(delay * _FACTOR, _LONGEST)


async def _dial(
    connection: Connection, options: dict[str, Any], place: Place, tunnel: asyncssh.SSHClientConnection | None = None
) -> asyncssh.SSHClientConnection:
    if tunnel:
        return await asyncssh.connect(connection.host, connection.port, tunnel=tunnel, **options)
    reached = await _reach(connection, place)
    try:
        return await asyncssh.connect(connection.host, connection.port, sock=reached, **options)
    except BaseException:
        reached.close()
        raise


async def _reach(connection: Connection, place: Place) -> socket.socket:
    """Open the TCP connection; where a socket leads to is decided where it is made."""
    with place():
        family, kind, _, _, address = socket.getaddrinfo(connection.host, connection.port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind)
    made.setblocking(False)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_KEEPIDLE, _KEEPALIVE_SECONDS),
        (socket.TCP_KEEPINTVL, _KEEPALIVE_SECONDS),
        (socket.TCP_KEEPCNT, _KEEPALIVE_PROBES),
    ):
        made.setsockopt(socket.IPPROTO_TCP, option, value)
    try:
        connecting = asyncio.get_running_loop().sock_connect(made, address)
        await asyncio.wait_for(connecting, connection.per_dial_timeout or None)
    except BaseException:
        made.close()
        raise
    return made


def _reason(error: OSError | asyncssh.Error, connection: Connection) -> str:
    """Say why, in the words of Go's SSH client, which are what an operator of the real provider reads."""
    if isinstance(error, TimeoutError):
        return f"dial tcp {connection.endpoint}: i/o timeout"
    if isinstance(error, asyncssh.HostKeyNotVerifiable):
        return "ssh: handshake failed: ssh: host key mismatch"
    if isinstance(error, asyncssh.KeyExchangeFailed):
        return "ssh: handshake failed: ssh: no common algorithm for host key or key exchange"
    if isinstance(error, asyncssh.PermissionDenied):
        return "ssh: handshake failed: ssh: unable to authenticate, no supported methods remain"
    if isinstance(error, asyncssh.Error):
        return f"ssh: handshake failed: {error.reason}"
    what = os.strerror(error.errno).lower() if error.errno else str(error)
    return f"dial tcp {connection.endpoint}: connect: {what}"
