"""The worker: takes runs from Postgres, four at a time, and finishes them before it ends."""

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import aiohttp

from . import data_folder, database, jobs, log, process, schema
from .artifacts import Artifacts
from .computers import Computers
from .providers import open_provider
from .refusals import RefusalError
from .settings import SharedSettings, read_worker

POLL = 0.5
"""Seconds between two looks into the queue."""
AT_ONCE = 4
MEBIBYTE = 1 << 20


async def main(stop: asyncio.Event) -> int:
    """Run worker; 0 after SIGTERM once the running jobs are done."""
    settings = read_worker(os.environ)
    process.require_compile_folder(process.temp_folder(os.environ))
    data = Path(settings.data)
    data_folder.require_writable(data)
    try:
        pool = await process.until(stop, _open(settings))
    except process.StoppedError:
        return 0
    async with aiohttp.ClientSession() as session:
        computers = Computers(pool, open_provider(session, settings), settings.sandbox.most)
        free = shutil.disk_usage(tempfile.gettempdir()).free // MEBIBYTE
        log.say(f"rakazo stand-in worker: {free} MiB free in the temp directory")
        log.say("rakazo worker ready")
        await _work(stop, pool, computers, Artifacts(data))
    await pool.close()
    return 0


async def _open(settings: SharedSettings) -> Any:
    """Connect, make the queue when migrate has not, and wait until api has marked the DATA_DIR that both share.

    Raises:
        RefusalError: Postgres refuses the connection, the login may not make the queue, or DATA_DIR is not api's.

    """
    try:
        pool = await database.pool(settings.database_url, settings.pool_size, "rakazo-worker")
        queue = await pool.fetchval("SELECT to_regclass('graphile_worker.jobs')")
        if queue is None:
            await pool.execute(schema.QUEUE)
        await data_folder.require_shared(Path(settings.data), pool)
    except database.Error as error:
        raise RefusalError([f"Postgres cannot be used (job queue, marker of DATA_DIR): {error}"]) from error
    return pool


async def _work(stop: asyncio.Event, pool: Any, computers: Computers, artifacts: Artifacts) -> None:
    running: set[asyncio.Task[None]] = set()
    while not stop.is_set():
        running = {task for task in running if not task.done()}
        job = None
        if len(running) < AT_ONCE:
            try:
                job = await jobs.take(pool)
            except database.Error as error:
                log.complain("worker", f"the queue cannot be read: {error}")
        if job is not None:
            running.add(asyncio.ensure_future(_guarded(pool, job, computers, artifacts)))
            continue
        try:
            await asyncio.wait_for(stop.wait(), POLL)
        except TimeoutError:
            continue
    if running:
        log.complain("worker", f"SIGTERM: waiting for {len(running)} running jobs")
        await asyncio.wait(running)


async def _guarded(pool: Any, job: jobs.Job, computers: Computers, artifacts: Artifacts) -> None:
    """Carry a job out; one that the database was lost under is taken up again when its lease ends."""
    try:
        await jobs.carry_out(pool, job, computers, artifacts)
    except database.Error as error:
        log.complain("worker", f"run {job.run} is left to its lease: {error}")
