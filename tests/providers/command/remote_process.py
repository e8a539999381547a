"""A command on a machine, over SSH."""

import asyncio
import contextlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

import asyncssh

from tests.providers.call import Call
from tests.providers.command.connection import Connection
from tests.providers.command.dial import connected, interruptible
from tests.providers.command.output_lines import OutputLines, Stream
from tests.providers.command.surroundings import Surroundings
from tests.providers.refused import RefusedError


@dataclass(frozen=True, kw_only=True)
class RemoteProcess:
    """What to run and what it is given."""

    command: str
    stdin: str = field(default="", repr=False)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Refused as a whole unless the machine accepts each of them."""
    previous: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Variables that are offered and may be ignored."""

    def run(self, connection: Connection, surroundings: Surroundings, lines: OutputLines, call: Call) -> None:
        """Run it to its end; RefusedError says how it ended and what it printed."""
        asyncio.run(self._run(connection, surroundings, lines, call))

    async def _run(self, connection: Connection, surroundings: Surroundings, lines: OutputLines, call: Call) -> None:
        async with connected(connection, surroundings, call) as reached:
            try:
                # A second interruption ends the real provider's process, and its connections with it; the first lets
                # a command that runs run on.
                ending = await interruptible(self._carry_out(reached, lines), call.gone.is_set)
            except (OSError, asyncssh.Error) as error:
                ending = f"ssh: {error}"
        if ending:
            raise RefusedError(lines.failure(ending, self.command))

    async def _carry_out(self, reached: asyncssh.SSHClientConnection, lines: OutputLines) -> str:
        if self.environment:
            await self._offer(reached)
        process = await reached.create_process(self.command, env={**self.environment, **self.previous}, encoding=None)
        async with process:
            streams = (self._collect(process.stdout, "stdout", lines), self._collect(process.stderr, "stderr", lines))
            await asyncio.gather(self._feed(process), *streams)
            await process.wait_closed()
        if process.exit_signal:
            return f"Process exited with signal {process.exit_signal[0]}"
        if process.exit_status is None:
            return "wait: remote command exited without exit status or exit signal"
        return f"Process exited with status {process.exit_status}" if process.exit_status else ""

    async def _offer(self, reached: asyncssh.SSHClientConnection) -> None:
        """Ask the machine which variables arrived: asyncssh sends them without asking for an answer."""
        script = "; ".join(f'printf "%s\\n" "${{{name}+set}}"' for name in self.environment)
        answer = await reached.run(f"sh -c {shlex.quote(script)}", env=self.environment, encoding="utf-8")
        arrived = str(answer.stdout or "").split("\n")
        for name, state in zip(self.environment, arrived, strict=False):
            if state != "set":
                raise RefusedError(
                    f'could not set environment variable "{name}": ssh: setenv failed: the SSH server takes only what '
                    "its AcceptEnv names; use stdin"
                )

    async def _feed(self, process: asyncssh.SSHClientProcess[bytes]) -> None:
        # A command may end without reading what it was given.
        with contextlib.suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
            if self.stdin:
                process.stdin.write(self.stdin.encode())
                await process.stdin.drain()
            process.stdin.write_eof()

    @staticmethod
    async def _collect(reader: asyncssh.SSHReader[bytes], stream: Stream, lines: OutputLines) -> None:
        while line := await reader.readline():
            await asyncio.to_thread(lines.take, stream, line)
