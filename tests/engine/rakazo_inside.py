"""Rakazo as somebody on one of the machines reaches it: its port is closed to everybody else."""

import json
import time
from typing import Any

from local.failure import LocalError
from tests.machines.machine import Machine

PORT = 30173
JOB_SECONDS = 120.0
POLL_SECONDS = 0.5


def rakazo(machine: Machine, path: str, body: dict[str, object] | None = None) -> dict[str, Any]:
    """Ask the application; with a body it is told something."""
    way = ["--resolve", f"localhost:{PORT}:{machine.private}", "--header", "content-type: application/json"]
    told = [] if body is None else ["--data", json.dumps(body)]
    asked = ["curl", "--silent", "--show-error", "--max-time", "90", *way, *told, f"http://localhost:{PORT}{path}"]
    said = machine.run(asked, check=False, seconds=120)
    try:
        answer: dict[str, Any] = json.loads(said.stdout)
    except ValueError:
        raise LocalError(f"{path} on {machine.name}: {said.stdout[-2000:]}{said.stderr}") from None
    return answer


def finished_job(machine: Machine, bot: str, command: list[str]) -> str:
    """Let the worker run a command on a bot's computer, and return the id of the job in the database."""
    job = str(rakazo(machine, "/api/jobs", {"bot": bot, "command": command})["id"])
    deadline = time.monotonic() + JOB_SECONDS
    while (seen := rakazo(machine, f"/api/jobs/{job}"))["state"] != "done":
        if time.monotonic() > deadline or seen["state"] == "failed":
            raise LocalError(f"the job of {bot} is not done: {seen}")
        time.sleep(POLL_SECONDS)
    return job
