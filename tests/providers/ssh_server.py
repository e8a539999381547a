"""An SSH server in this process, which runs what it is asked to here: a machine for tests that need no more of one."""

import asyncio
import contextlib
import os
import signal
import socket
import threading
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import asyncssh

from tests.providers.relay import Place

_SECONDS = 10.0


class SshServer:
    """Lets one key in and runs commands with a shell in `folder`, which is also the root of what is copied to it."""

    def __init__(
        self,
        folder: Path,
        authorized_key: str,
        *,
        place: Place = nullcontext,
        port: int = 0,
        accepted_environment: Iterable[str] = (),
    ) -> None:
        self._folder = folder
        self._authorized = asyncssh.import_authorized_keys(authorized_key)
        self._accepted = frozenset(accepted_environment)
        self._key = asyncssh.generate_private_key("ssh-ed25519")
        self.host_key = self._key.export_public_key().decode().strip()
        """Line of authorized_keys, as a connection's `host_key` has it."""
        self.commands: list[str] = []
        """What it was asked to run, in order."""
        self._running: set[int] = set()
        """Process groups of the commands."""
        self._connected: list[asyncssh.SSHServerConnection] = []
        self.connections = 0
        """Times that somebody was let in."""
        with place():
            self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._acceptor = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(_SECONDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_SECONDS)
        self._loop.close()

    async def _listen(self) -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            sock=self._listener,
            server_host_keys=[self._key],
            authorized_client_keys=self._authorized,
            server_factory=lambda: _Door(self),
            process_factory=self._run,
            sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=os.fsencode(self._folder)),
            encoding=None,
            allow_scp=False,
            agent_forwarding=False,
        )

    async def _close(self) -> None:
        self._acceptor.close()
        await self._acceptor.wait_closed()
        # Whoever is still connected, and what was asked for and not waited for, would otherwise be found by the
        # garbage collector, in whichever test runs then. No task is cancelled: asyncio never ends one that is just
        # starting a program.
        for connection in self._connected:
            connection.abort()
        while left := asyncio.all_tasks() - {asyncio.current_task()}:
            for group in self._running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
            await asyncio.wait(left, timeout=0.1)
        await self._loop.shutdown_default_executor()

    async def _run(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        command = process.command or ""
        self.commands.append(command)
        given = {name: value for name, value in process.env.items() if name in self._accepted}
        child = await asyncio.create_subprocess_exec(
            "/bin/sh",
            "-c",
            command,
            cwd=self._folder,
            env={"PATH": os.environ.get("PATH", os.defpath), **given},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._running.add(child.pid)
        feeding = asyncio.create_task(_feed(process.stdin, child.stdin))
        try:
            await asyncio.gather(_pass_on(child.stdout, process.stdout), _pass_on(child.stderr, process.stderr))
            code = await child.wait()
        finally:
            self._running.discard(child.pid)
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)
        process.exit(code)


async def _pass_on(source: Any, target: Any) -> None:
    """Copy a stream to its end, as far as somebody takes it; a channel has one end for both its streams."""
    with contextlib.suppress(ConnectionError, asyncssh.Error):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()


async def _feed(source: Any, target: Any) -> None:
    await _pass_on(source, target)
    target.close()


class _Door(asyncssh.SSHServer):
    def __init__(self, server: SshServer) -> None:
        self._server = server

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._server._connected.append(conn)

    def auth_completed(self) -> None:
        self._server.connections += 1
