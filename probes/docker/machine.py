"""The machine that Docker runs on: commands over one SSH connection, each as root."""

import asyncio
import contextlib
import shlex
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

import asyncssh

from probes.docker.facts import DockerFacts
from probes.docker.runner import Did, MachineError

DOCKER = "DOCKER_HOST=unix:///run/docker.sock"
"""Root's own client may be used with another machine's Docker (docker context use)."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""An SSH server gives its sessions a shorter one, without what an administrator needs."""
SESSIONS = 6
"""At once on the one connection, beside an urgent one: an OpenSSH server refuses the eleventh (MaxSessions), and counts
one that has ended until it has cleared it away."""
FULL_SECONDS = 20.0
"""For a server that refuses a session to have room for it again."""
DIAL_SECONDS = 15
ALIVE_SECONDS = 15
"""Between two questions whether the machine is still there; three without an answer end the connection."""
END_SECONDS = 10.0
PAUSE_SECONDS = 0.2

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Way:
    """How the machine is reached."""

    host: str
    host_key: str
    """Public key of its SSH server: a machine that shows another one is told nothing."""
    user: str = "root"
    port: int = 22
    private_key: str | None = field(default=None, repr=False)
    """None: keys of the SSH agent and of the user's own ~/.ssh."""


def way_to(facts: DockerFacts, private_key: str | None) -> Way:
    """Return how the machine of a stack is reached; without a key, with those of the SSH agent."""
    return Way(
        host=facts.address,
        host_key=facts.host_key,
        user=facts.ssh_user,
        port=facts.ssh_port,
        private_key=private_key,
    )


class Machine:
    """One connection, with a thread of its own; many threads may run commands over it."""

    def __init__(self, way: Way) -> None:
        """Nothing is dialled before it is entered as a context manager."""
        self._way = way
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._room = threading.BoundedSemaphore(SESSIONS)
        self._connection: asyncssh.SSHClientConnection | None = None

    def __enter__(self) -> Self:
        """Log in; MachineError when the machine is not reached, shows another key, or knows none of ours."""
        self._thread.start()
        try:
            self._connection = self._wait(self._dial(), DIAL_SECONDS + END_SECONDS)
        except (OSError, asyncssh.Error, ValueError) as error:
            self._stop()
            raise MachineError(f"{self._where} is not reached over SSH: {error or type(error).__name__}") from error
        except MachineError:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Hang up."""
        try:
            if self._connection is not None:
                self._wait(self._hang_up(self._connection), END_SECONDS)
        finally:
            self._stop()

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        """Run a command as root; MachineError when the connection is gone, or it has not ended after `seconds`.

        One that is urgent waits for no other one; there may be one of them at a time.
        """
        with contextlib.nullcontext() if urgent else self._room:
            try:
                done = self._wait(self._run(command, stdin, seconds), seconds + FULL_SECONDS + END_SECONDS)
            except (OSError, asyncssh.Error) as error:
                raise MachineError(f"{self._where}: {error or type(error).__name__}") from error
        if done.exit_status is None:
            raise MachineError(f"{command[0]} on {self._where} ended without a status: {_text(done.stderr)[-500:]}")
        return Did(exit_code=done.exit_status, output=_text(done.stdout), errors=_text(done.stderr))

    async def _dial(self) -> asyncssh.SSHClientConnection:
        way = self._way
        keys: dict[str, Any] = {}
        if way.private_key is not None:
            keys = {"client_keys": [asyncssh.import_private_key(way.private_key)], "agent_path": None}
        return await asyncssh.connect(
            way.host,
            way.port,
            username=way.user,
            known_hosts=([asyncssh.import_public_key(way.host_key)], [], []),
            config=None,  # the user's own file could lead elsewhere
            connect_timeout=DIAL_SECONDS,
            login_timeout=DIAL_SECONDS,
            keepalive_interval=ALIVE_SECONDS,
            **keys,
        )

    async def _hang_up(self, connection: asyncssh.SSHClientConnection) -> None:
        connection.close()
        await connection.wait_closed()

    async def _run(self, command: Sequence[str], stdin: str, seconds: float) -> asyncssh.SSHCompletedProcess:
        if self._connection is None:
            raise MachineError(f"{self._where}: not connected")
        line, deadline = self._as_root(command, seconds), self._loop.time() + FULL_SECONDS
        while True:
            try:
                process = await self._connection.create_process(line, input=stdin, errors="replace")
                break
            except asyncssh.ChannelOpenError:  # nothing has run
                if self._loop.time() > deadline or self._connection.is_closed():
                    raise
                await asyncio.sleep(PAUSE_SECONDS)
        async with process:  # which closes the session, however this ends
            try:
                done = await process.wait(timeout=seconds)
            except asyncssh.TimeoutError as error:
                # Nothing of its output, which may be secrets; of the command its beginning: it may be a whole program.
                told = f"{shlex.join(command)[:80]}… on {self._where} did not end within {seconds:.0f} s"
                raise MachineError(f"{told}: {_text(error.stderr)[-500:]}") from error
        return done

    def _as_root(self, command: Sequence[str], seconds: float) -> str:
        # A server has room for another session only when the command has ended, not when we close the session; and
        # what sudo runs takes no signal from the user.
        ending = ["timeout", "--signal=KILL", f"{seconds + END_SECONDS:.0f}"]
        line = shlex.join(["env", f"PATH={PATH}", DOCKER, "LC_ALL=C", *ending, *command])
        return line if self._way.user == "root" else f"sudo -n {line}"

    def _wait(self, work: Coroutine[Any, Any, Result], seconds: float) -> Result:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(seconds)
        except FutureTimeoutError as error:
            raise MachineError(f"{self._where} did not answer within {seconds:.0f} s") from error
        finally:
            future.cancel()  # of what nobody waits for any more, because of a Ctrl-C for example

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(END_SECONDS)
        if not self._loop.is_running():
            self._loop.close()

    @property
    def _where(self) -> str:
        return f"{self._way.user}@{self._way.host}:{self._way.port}"


def _text(said: object) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said or "")
