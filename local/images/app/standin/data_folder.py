"""DATA_DIR: writable, and one and the same folder for api and worker. The published services start without looking."""

import asyncio
import os
import time
import uuid
from pathlib import Path
from typing import Any

from .refusals import RefusalError

MARKER = ".rakazo-stand-in-api"
"""File below DATA_DIR with the id that api wrote at its last start; the database holds the same one."""
DEADLINE_SECONDS = 30.0
POLL_SECONDS = 0.5


def require_writable(data: Path) -> None:
    """Write a file and remove it again.

    Raises:
        RefusalError: it cannot be written, so every save would fail once it is too late.

    """
    probe = data / f".probe-{uuid.uuid4().hex}"
    try:
        probe.write_bytes(b"probe")
        probe.unlink()
    except OSError as error:
        raise _unwritable(data, error) from error


async def mark(data: Path, pool: Any) -> None:
    """Write a new id into DATA_DIR, then into the database: who sees both the same shares the folder.

    Raises:
        RefusalError: DATA_DIR cannot be written.

    """
    marker = uuid.uuid4().hex
    written = data / f"{MARKER}.{marker}"
    try:
        written.write_text(marker)
        written.rename(data / MARKER)
    except OSError as error:
        raise _unwritable(data, error) from error
    await pool.execute(
        "INSERT INTO data_folder (id, marker) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET marker = $1", marker
    )


async def require_shared(data: Path, pool: Any, seconds: float = DEADLINE_SECONDS) -> None:
    """Return once DATA_DIR holds the id that api wrote into the database; api may be about to write it.

    Raises:
        RefusalError: it does not within `seconds`: files that worker writes would never reach api.

    """
    end = time.monotonic() + seconds
    while (why := await _difference(data, pool)) is not None:
        if time.monotonic() >= end:
            raise RefusalError([f"DATA_DIR {data} is not shared with api, after {seconds:g} s: {why}"])
        await asyncio.sleep(POLL_SECONDS)


async def _difference(data: Path, pool: Any) -> str | None:
    """Say what tells worker's folder from api's, or None."""
    if await pool.fetchval("SELECT to_regclass('data_folder')") is None:
        return "the database is not migrated, so no api has started on it; run migrate, then api"
    recorded = await pool.fetchval("SELECT marker FROM data_folder WHERE id = 1")
    if recorded is None:
        return "no api has started on this database; start api first"
    try:
        held = (data / MARKER).read_text()
    except OSError as error:
        return f"its {MARKER} cannot be read ({error.strerror}); mount the volume that api mounts"
    return None if held == recorded else "it holds the marker of another api; mount the volume that api mounts"


def _unwritable(data: Path, error: OSError) -> RefusalError:
    reason = f"DATA_DIR {data} is not writable for uid {os.getuid()} ({error.strerror})"
    return RefusalError([f"{reason}; mount the shared volume there and give it to that uid (fsGroup)"])
