"""A browser's side of a live screen, from the way in through web to the computer."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.deployments import Deployed

GREETING = b"RFB 003.008\n"
"""What a VNC server says first (RFC 6143, section 7.1.1)."""
SECONDS = 10.0
"""For each step of an open screen; each takes milliseconds."""


@dataclass(frozen=True, kw_only=True)
class Watched:
    """What a browser saw."""

    greeting: bytes
    echo: bytes
    """What came back for what was sent."""
    closed_after: float
    """Seconds from the end of the computer's deletion to the close of the screen."""


async def watch_until_deleted(deployed: Deployed, computer: str, sent: bytes = b"from the browser") -> Watched:
    """Open the computer's screen, send something, delete the computer, and wait for the close."""
    base = f"{deployed.url}/api/computers/{computer}"
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as session:
        async with session.post(f"{base}/screen", json={}) as granted:
            granted.raise_for_status()
            path = (await granted.json())["websocket"]
        async with session.ws_connect(deployed.url + path, protocols=("binary",)) as screen:
            greeting = await screen.receive_bytes(timeout=SECONDS)
            await screen.send_bytes(sent)
            echo = await screen.receive_bytes(timeout=SECONDS)
            closing = asyncio.ensure_future(_closed(screen))
            async with session.delete(base) as deleted:
                deleted.raise_for_status()
            done = time.monotonic()
            return Watched(greeting=greeting, echo=echo, closed_after=max(0.0, await closing - done))


async def _closed(screen: Any) -> float:
    """Return the time at which the screen was closed; TimeoutError when it stays open."""
    async with asyncio.timeout(6 * SECONDS):
        while not screen.closed:
            await screen.receive()
    return time.monotonic()
