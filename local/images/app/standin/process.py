"""One service as PID 1: its signals, exit codes and the folders it has to be able to write."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from . import log
from .refusals import RefusalError

REFUSED = 1
TERMINATED = 143
"""128 + SIGTERM: what web ends with."""


def run(service: str, main: Callable[[asyncio.Event], Coroutine[Any, Any, int]]) -> int:
    """Run a service until it ends or SIGTERM or SIGINT sets the event; return its exit code."""

    async def supervised() -> int:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        return await main(stop)

    try:
        return asyncio.run(supervised())
    except RefusalError as refusal:
        for reason in refusal.reasons:
            log.complain(service, f"refuses to start: {reason}")
        return REFUSED


async def until(stop: asyncio.Event, work: Coroutine[Any, Any, Any]) -> Any:
    """Return what `work` returns.

    Raises:
        StoppedError: the service was told to end while it was still starting.

    """
    task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not task.done():
        task.cancel()
        raise StoppedError
    return task.result()


class StoppedError(Exception):
    """SIGTERM came before the service was ready."""


def temp_folder(values: Mapping[str, str]) -> Path:
    """Return the directory for temporary files."""
    return Path(values.get("TMPDIR") or "/tmp")  # noqa: S108 -- the image's own, emptied with the pod


def require_compile_folder(temp: Path) -> None:
    """Make the folder in which tsx keeps what it compiled.

    Raises:
        RefusalError: the temp directory is not writable, and the real service cannot start either.

    """
    folder = temp / f"tsx-{os.getuid()}"
    try:
        folder.mkdir(exist_ok=True)
        probe = folder / "probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise RefusalError([f"{folder} cannot be written ({error.strerror}); mount an emptyDir at {temp}"]) from error


def require_preview_folder(folder: Path) -> None:
    """Prove that vite's preview can write its bundled configuration.

    Raises:
        RefusalError: it cannot.

    """
    folder = folder.absolute()
    try:
        probe = folder / "probe.timestamp"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise RefusalError([f"{folder} cannot be written ({error.strerror}); mount an emptyDir there"]) from error
