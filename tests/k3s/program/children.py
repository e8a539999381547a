"""The components that k3s runs inside itself and that are programs here."""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tests.k3s.program import journal
from tests.k3s.program.paths import TOOLS
from tests.k3s.program.refusal import Refusal

Result = TypeVar("Result")
PATH = f"{TOOLS}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENDS: tuple[tuple[frozenset[str], float], ...] = (
    (frozenset({"kubelet", "kube-proxy", "kube-router", "kube-controller-manager", "kube-scheduler"}), 4.0),
    # It would wait for clients that hold a connection; k3s does not either.
    (frozenset({"kube-apiserver"}), 2.0),
    (frozenset(), 8.0),
)
"""Which components end first, and the seconds after which they are killed; the empty set is all that are left."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what a component sees: our environment without the socket on which this service tells its readiness."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NOTIFY_SOCKET", "LISTEN_FDS")}
    return {**kept, "PATH": PATH, **(extra or {})}


class Children:
    """Components that run; when one ends by itself, the whole service ends, as k3s does."""

    def __init__(self) -> None:
        """Begin with none."""
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._watches: list[asyncio.Task[Any]] = []
        self._ending = False
        self.failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Done with what has happened when a component has ended by itself."""

    async def start(
        self, name: str, command: Sequence[str], *, log: Path | None = None, extra: Mapping[str, str] | None = None
    ) -> None:
        """Start a component; it writes to the journal or to a file. Refusal when it cannot be found."""
        output = None
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
            output = log.open("ab")
        # setpriv: nothing of k3s goes on when k3s itself is killed, only containers and their shims.
        wrapped = ["setpriv", "--pdeathsig", "TERM", "--", *command]
        try:
            process = await asyncio.create_subprocess_exec(
                *wrapped, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, env=environment(extra)
            )
        except OSError as error:
            raise Refusal(f"{name} cannot be started: {error}") from error
        finally:
            if output is not None:
                output.close()
        journal.info(f"Running {' '.join(command)}")
        self._running[name] = process
        self._watches.append(asyncio.create_task(self._watch(name, process)))

    async def _watch(self, name: str, process: asyncio.subprocess.Process) -> None:
        status = await process.wait()
        if not self._ending and not self.failed.done():
            self.failed.set_result(f"{name} exited: status {status}")

    def background(self, work: Coroutine[Any, Any, Result]) -> "asyncio.Task[Result]":
        """Let something go on beside the rest; when it gives up, so does the service."""
        task = asyncio.create_task(work)
        task.add_done_callback(self._gave_up)
        self._watches.append(task)
        return task

    def _gave_up(self, task: "asyncio.Task[Any]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not self.failed.done():
            self.failed.set_result(str(error) or repr(error))

    async def outcome(self, work: "asyncio.Future[Result]") -> Result:
        """Wait for what goes on beside; Refusal when a component ends first."""
        first: list[asyncio.Future[Any]] = [work, self.failed]
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if self.failed.done():
            raise Refusal(self.failed.result())
        return work.result()

    async def end(self) -> None:
        """End all, those that use others before what they use; containers go on."""
        self._ending = True
        for names, seconds in ENDS:
            chosen = [process for name, process in self._running.items() if name in names or not names]
            await asyncio.gather(*(_end(process, seconds) for process in chosen))
        for watch in self._watches:
            if watch is not asyncio.current_task():
                watch.cancel()


async def _end(process: asyncio.subprocess.Process, seconds: float) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            process.kill()
            await process.wait()


def run(command: Sequence[str], stdin: str | None = None, seconds: float = 300.0) -> str:
    """Run a program to its end and return its output; Refusal with what it said when it fails."""
    try:
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, timeout=seconds, env=environment(), check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refusal(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        raise Refusal(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout
