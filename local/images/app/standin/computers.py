"""Computers: claimed in the database, so that api and worker start each of them once, and run by a provider."""

import asyncio
from dataclasses import dataclass
from typing import Any

from .desktop import computer_name
from .provider import Execution, Place, Provider, ProviderError

POLL = 0.25
TOO_MANY = 429
CLAIM_TRIES = 40


class NoComputerError(Exception):
    """There is no such computer, or it is not running."""


@dataclass(frozen=True)
class Computer:
    """A running computer as this process found it."""

    bot: str
    name: str
    generation: int
    place: Place
    restored: bool


class Computers:
    """The computers of one deployment; api and worker each have one of these."""

    def __init__(self, pool: Any, provider: Provider, most: int = 0) -> None:
        """`most` may run at once; 0 is no limit."""
        self._pool = pool
        self.provider = provider
        self._most = most

    async def ensure(self, bot: str) -> Computer:
        """Return the bot's running computer, creating and restoring it when there is none.

        Raises:
            ProviderError: there are too many, whoever runs computers refused it, or it was not ready in time.

        """
        name = computer_name(bot)
        others = "SELECT count(*) FROM computer WHERE state = 'running' AND bot <> $1"
        if self._most and await self._pool.fetchval(others, bot) >= self._most:
            error = ProviderError(TOO_MANY, f"Computer limit reached for space (max: {self._most})")
            error.provider = self.provider.kind
            raise error
        await self._pool.execute("INSERT INTO computer (bot, name) VALUES ($1, $2) ON CONFLICT DO NOTHING", bot, name)
        await self._claim(bot)
        try:
            started = await self.provider.start(name)
        except BaseException:
            await self._pool.execute("UPDATE computer SET state = 'error', claimed_until = NULL WHERE bot = $1", bot)
            raise
        generation = await self._pool.fetchval(
            "UPDATE computer SET state = 'running', claimed_until = NULL, generation = generation + $2"
            " WHERE bot = $1 RETURNING generation",
            bot,
            int(started.created),
        )
        return Computer(bot, name, generation, started.place, started.restored)

    async def find(self, name: str) -> Computer:
        """Return a running computer by its name.

        Raises:
            NoComputerError: unknown, stopped or lost.

        """
        row = await self._pool.fetchrow("SELECT * FROM computer WHERE name = $1", name)
        if row is None or row["state"] != "running":
            raise NoComputerError(f"{name} is {row['state'] if row else 'unknown'}")
        place = await self.provider.find(name)
        if place is None:
            raise NoComputerError(f"{name} is lost: it is gone or has ended")
        return Computer(row["bot"], name, row["generation"], place, restored=False)

    async def execute(self, name: str, command: list[str]) -> Execution:
        """Run a command in a computer."""
        return await self.provider.execute(name, command)

    async def checkpoint(self, computer: Computer) -> int:
        """Save the computer's home and return how many files it had."""
        return await self.provider.save(computer.name)

    async def remove(self, name: str) -> int | None:
        """Save and delete a computer; return the saved files, None when it was lost already."""
        saved = None
        try:
            saved = await self.checkpoint(await self.find(name))
        except NoComputerError:
            if await self._pool.fetchval("SELECT 1 FROM computer WHERE name = $1", name) is None:
                raise
        await self._pool.execute("UPDATE computer SET state = 'stopped' WHERE name = $1", name)
        await self.provider.end(name)
        return saved

    async def dial(self, computer: Computer) -> dict[str, bool]:
        """Tell which screen ports of the computer are reached, by port."""
        return await self.provider.dial(computer.place)

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
