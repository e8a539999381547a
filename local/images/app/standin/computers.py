"""Computers: claimed in the database, run as pods, their homes saved and restored."""

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import pod
from .kubernetes import Execution, Kubernetes, KubernetesError
from .settings import SandboxSettings
from .workspaces import Workspaces

POLL = 0.25
READY_SECONDS = 120
CLAIM_TRIES = 40
DIAL_SECONDS = 20


class NoComputerError(Exception):
    """There is no such computer, or it is not running."""


@dataclass(frozen=True)
class Computer:
    """A running computer as this process found it."""

    bot: str
    name: str
    generation: int
    pod: dict[str, Any]
    restored: bool

    @property
    def key(self) -> str:
        """The name of its saved home."""
        return self.name.removeprefix(pod.PREFIX)

    @property
    def address(self) -> str:
        """The pod's IP."""
        return str(self.pod["status"]["podIP"])


class Computers:
    """The computers of one deployment; api and worker each have one of these."""

    def __init__(self, pool: Any, kubernetes: Kubernetes, settings: SandboxSettings, workspaces: Workspaces) -> None:
        self._pool = pool
        self._kubernetes = kubernetes
        self._settings = settings
        self._workspaces = workspaces

    async def ensure(self, bot: str) -> Computer:
        """Return the bot's running computer, creating and restoring it when there is none.

        Raises:
            KubernetesError: the API server refused it, or it was not ready within 120 s.

        """
        name = pod.pod_name(bot)
        await self._pool.execute("INSERT INTO computer (bot, name) VALUES ($1, $2) ON CONFLICT DO NOTHING", bot, name)
        await self._claim(bot)
        created = restored = False
        try:
            found, created = await self._running_pod(name)
            restored = await self._restore(name) if created else False
        except BaseException:
            if created:
                # Left running it would pass for a restored one, and its empty home would be saved next.
                await self._kubernetes.delete(name)
            await self._pool.execute("UPDATE computer SET state = 'error', claimed_until = NULL WHERE bot = $1", bot)
            raise
        generation = await self._pool.fetchval(
            "UPDATE computer SET state = 'running', claimed_until = NULL, generation = generation + $2"
            " WHERE bot = $1 RETURNING generation",
            bot,
            int(created),
        )
        return Computer(bot, name, generation, found, restored)

    async def find(self, name: str) -> Computer:
        """Return a running computer by its pod's name.

        Raises:
            NoComputerError: unknown, stopped or lost.

        """
        row = await self._pool.fetchrow("SELECT * FROM computer WHERE name = $1", name)
        if row is None or row["state"] != "running":
            raise NoComputerError(f"{name} is {row['state'] if row else 'unknown'}")
        found = await self._kubernetes.get(name)
        if found is None or pod.is_over(found) or not found.get("status", {}).get("podIP"):
            raise NoComputerError(f"{name} is lost: its pod is gone or has ended")
        return Computer(row["bot"], name, row["generation"], found, restored=False)

    async def execute(self, name: str, command: list[str], stdin: bytes | None = None) -> Execution:
        """Run a command in a computer."""
        return await self._kubernetes.execute(name, command, timeout=self._settings.command_timeout, stdin=stdin)

    async def checkpoint(self, computer: Computer) -> int:
        """Save the computer's home and return how many files it had."""
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / "home.tar"
            with archive.open("wb") as written:
                done = await self._kubernetes.execute(
                    computer.name,
                    ["tar", "-C", pod.HOME, "--ignore-failed-read", "-cf", "-", "."],
                    timeout=self._settings.command_timeout,
                    sink=written.write,
                )
            # 1 means that a file changed while it was read: the copy is still whole.
            if done.exit_code > 1:
                raise KubernetesError(0, f"saving {computer.name} failed: {done.stderr.decode(errors='replace')}")
            return await asyncio.to_thread(self._workspaces.save, computer.key, archive)

    async def remove(self, name: str) -> int | None:
        """Save and delete a computer; return the saved files, None when it was lost already."""
        saved = None
        try:
            saved = await self.checkpoint(await self.find(name))
        except NoComputerError:
            if await self._pool.fetchval("SELECT 1 FROM computer WHERE name = $1", name) is None:
                raise
        await self._pool.execute("UPDATE computer SET state = 'stopped' WHERE name = $1", name)
        await self._kubernetes.delete(name)
        await self._gone(name)
        return saved

    async def dial(self, computer: Computer) -> dict[str, bool]:
        """Tell which of the two screen ports this process reaches within 20 s, by port."""
        ports = (pod.VIEW_PORT, pod.CONTROL_PORT)
        reached = await asyncio.gather(*(self._reaches(computer, port) for port in ports))
        return {str(port): one for port, one in zip(ports, reached, strict=True)}

    async def _reaches(self, computer: Computer, port: int) -> bool:
        deadline = time.monotonic() + DIAL_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            try:
                _, writer = await asyncio.wait_for(asyncio.open_connection(computer.address, port), left)
            except (OSError, TimeoutError):
                await asyncio.sleep(POLL)
                continue
            writer.close()
            return True
        return False

    async def _claim(self, bot: str) -> None:
        for _ in range(CLAIM_TRIES):
            if await self._pool.fetchval(
                "UPDATE computer SET state = CASE state WHEN 'running' THEN state ELSE 'booting' END,"
                " claimed_until = now() + interval '5 minutes'"
                " WHERE bot = $1 AND (claimed_until IS NULL OR claimed_until < now()) RETURNING 1",
                bot,
            ):
                return
            await asyncio.sleep(POLL)
        raise NoComputerError(f"the computer of {bot} is being started by another call for more than 10 s")

    async def _running_pod(self, name: str) -> tuple[dict[str, Any], bool]:
        """Return a ready pod and whether this call created it; one that ended is replaced."""
        existing = await self._kubernetes.get(name)
        if existing is not None and pod.is_over(existing):
            await self._kubernetes.delete(name)
            await self._gone(name)
            existing = None
        # Not asked for while one is there: a full quota would answer 403 before AlreadyExists.
        created = existing is None and await self._kubernetes.create(pod.manifest(name, self._settings))
        deadline = time.monotonic() + READY_SECONDS
        found: dict[str, Any] | None = None
        while time.monotonic() < deadline:
            found = await self._kubernetes.get(name)
            if found is not None and pod.is_ready(found):
                return found, created
            if found is not None and pod.is_over(found):
                break
            await asyncio.sleep(POLL)
        why = pod.explanation(found) if found else "its pod vanished"
        raise KubernetesError(0, f"{name} was not ready within {READY_SECONDS} s: {why}")

    async def _restore(self, name: str) -> bool:
        archive = await asyncio.to_thread(self._workspaces.load, name.removeprefix(pod.PREFIX))
        if archive is None:
            return False
        done = await self.execute(name, ["tar", "-C", pod.HOME, "-xf", "-"], stdin=archive)
        if done.exit_code:
            raise KubernetesError(0, f"restoring {name} failed: {done.stderr.decode(errors='replace')}")
        return True

    async def _gone(self, name: str) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while await self._kubernetes.get(name) is not None:
            if time.monotonic() > deadline:
                raise KubernetesError(0, f"{name} was deleted but is still there after {READY_SECONDS} s")
            await asyncio.sleep(POLL)
