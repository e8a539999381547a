"""Waiting for a condition, with an end and a reason."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from tests.k3s.program.children import Children
from tests.k3s.program.http_client import Answer
from tests.k3s.program.refusal import Refusal

Result = TypeVar("Result")
POLL_SECONDS = 0.1
PERSIST_SECONDS = 60.0


async def until(what: str, seconds: float, check: Callable[[], str | None], children: Children) -> None:
    """Look, in a thread, until `check` returns None; Refusal with its last answer after `seconds`.

    A component that ends meanwhile ends the waiting too.
    """
    deadline = time.monotonic() + seconds
    while (answer := await asyncio.to_thread(check)) is not None:
        if children.failed.done():
            raise Refusal(children.failed.result())
        if time.monotonic() > deadline:
            raise Refusal(f"{what}: not after {seconds:.0f} s: {answer}")
        await asyncio.sleep(POLL_SECONDS)


async def persist(what: str, act: Callable[[], Result], children: Children) -> Result:
    """Do something with the API, in a thread, again and again while it answers with a failure or not at all."""
    done: list[Result] = []

    def attempt() -> str | None:
        try:
            done.append(act())
        except (OSError, Answer) as error:
            return str(error)
        return None

    await until(what, PERSIST_SECONDS, attempt, children)
    return done[-1]
