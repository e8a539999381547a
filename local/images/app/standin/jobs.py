"""Runs that api queues in Postgres and worker carries out on computers."""

import asyncio
import contextlib
import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from . import events
from .artifacts import Artifacts
from .computers import Computers, NoComputerError
from .database import Error as DatabaseError
from .provider import ProviderError

LEASE_MINUTES = 5
"""A killed worker's run is taken up again once this is over."""
RENEW_SECONDS = 60
TASK = "run"
TAKE = """
UPDATE graphile_worker.jobs SET lease_until = now() + $1 * interval '1 minute' WHERE id = (
  SELECT id FROM graphile_worker.jobs WHERE lease_until IS NULL OR lease_until < now()
  ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, payload
"""
RENEW = "UPDATE graphile_worker.jobs SET lease_until = now() + $2 * interval '1 minute' WHERE id = $1"


@dataclass(frozen=True)
class Job:
    """One leased entry of the queue."""

    queue_id: int
    run: str
    bot: str
    command: list[str]


async def enqueue(pool: Any, bot: str, command: list[str]) -> str:
    """Queue a command for a bot's computer and return the run's id."""
    run = str(uuid.uuid4())
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "INSERT INTO run (id, bot, command, state) VALUES ($1, $2, $3, 'queued')",
            run,
            bot,
            json.dumps(command),
        )
        payload = json.dumps({"run": run, "bot": bot, "command": command})
        await connection.execute("INSERT INTO graphile_worker.jobs (task, payload) VALUES ($1, $2)", TASK, payload)
    return run


async def describe(pool: Any, artifacts: Artifacts, run: str) -> dict[str, Any] | None:
    """Return a run with its result as this process's DATA_DIR has it."""
    row = await pool.fetchrow("SELECT * FROM run WHERE id = $1", uuid.UUID(run))
    if row is None:
        return None
    answer: dict[str, Any] = {
        "id": run,
        "bot": row["bot"],
        "command": json.loads(row["command"]),
        "state": row["state"],
        "result": None,
        "error": row["error"],
    }
    if row["artifact"]:
        content = artifacts.read(row["artifact"])
        answer["artifact"] = row["artifact"]
        answer["result"] = json.loads(content) if content is not None else None
        if content is None:
            answer["error"] = f"artifact {row['artifact']} is not in api's DATA_DIR: api and worker do not share it"
    return answer


async def take(pool: Any) -> Job | None:
    """Lease the oldest entry that nobody holds."""
    row = await pool.fetchrow(TAKE, LEASE_MINUTES)
    if row is None:
        return None
    payload = json.loads(row["payload"])
    return Job(row["id"], payload["run"], payload["bot"], payload["command"])


async def carry_out(pool: Any, job: Job, computers: Computers, artifacts: Artifacts) -> None:
    """Run a job on its bot's computer, save the computer's home and write the result."""
    await _state(pool, job, "running")
    async with _renewed(pool, job):
        try:
            result = await _on_computer(job, computers)
            artifact = artifacts.write(json.dumps(result).encode())
            await pool.execute("UPDATE run SET artifact = $2 WHERE id = $1", uuid.UUID(job.run), artifact)
            await _state(pool, job, "done")
        except (ProviderError, NoComputerError, OSError) as error:
            await pool.execute("UPDATE run SET error = $2 WHERE id = $1", uuid.UUID(job.run), str(error))
            await _state(pool, job, "failed")
    await pool.execute("DELETE FROM graphile_worker.jobs WHERE id = $1", job.queue_id)


async def _on_computer(job: Job, computers: Computers) -> dict[str, Any]:
    computer = await computers.ensure(job.bot)
    done = await computers.execute(computer.name, job.command)
    return {
        "computer": computer.name,
        "exitCode": done.exit_code,
        "stdout": done.stdout.decode(errors="replace"),
        "stderr": done.stderr.decode(errors="replace"),
        "savedFiles": await computers.checkpoint(computer),
        "dialled": await computers.dial(computer),
    }


async def _state(pool: Any, job: Job, state: str) -> None:
    await pool.execute("UPDATE run SET state = $2 WHERE id = $1", uuid.UUID(job.run), state)
    await events.publish(pool, "run", id=job.run, state=state)


@contextlib.asynccontextmanager
async def _renewed(pool: Any, job: Job) -> AsyncIterator[None]:
    async def renew() -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            with contextlib.suppress(*DatabaseError):
                await pool.execute(RENEW, job.queue_id, LEASE_MINUTES)

    task = asyncio.ensure_future(renew())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
