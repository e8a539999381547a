"""The screen of a computer: where it is once it answers, and who may control it."""

import asyncio
import re
import time
from typing import Any

import aiohttp

from .container import environment
from .desktop import CONTROL_PORT, HOME, SCREEN_TOKENS, VIEW_PORT
from .docker_engine import DockerEngine, DockerError

READY_SECONDS = 45
POLL = 0.2
PAGE = "vnc.html"
TOKEN = re.compile(r"[A-Za-z0-9_-]{1,128}")
GRANT = 'printf "%s: 127.0.0.1:5900\\n" "$2" > "$1.new" && mv "$1.new" "$1"'
REVOKE = ': > "$1.new" && mv "$1.new" "$1"'


class ContainerScreens:
    """The screens of one supervisor's computers."""

    def __init__(self, docker: DockerEngine, session: aiohttp.ClientSession) -> None:
        """`session` dials computers, and is not the one that speaks to Docker."""
        self._docker = docker
        self._session = session

    def place(self, found: dict[str, Any], *, interactive: bool = False) -> str | None:
        """Return where the screen of a computer is, whether it answers or not; None when nothing can be there."""
        address = _address(found)
        if not found["State"]["Running"] or not address:
            return None
        return f"http://{address}:{CONTROL_PORT if interactive else VIEW_PORT}/{PAGE}"

    async def url(self, container: str, *, interactive: bool = False) -> str:
        """Return where the screen is, once it answers there.

        Raises:
            DockerError: it does not within 45 s, or the computer has ended; with what the computer said last.

        """
        deadline = time.monotonic() + READY_SECONDS
        while True:
            found = await self._docker.container(container)
            place = self.place(found, interactive=interactive)
            if place and await self._answers(_address(found)):
                return place
            if not found["State"]["Running"] or time.monotonic() > deadline:
                state = found["State"]
                why = f"{state['Status']}, exit status {state['ExitCode']}, out of memory {state['OOMKilled']}"
                said = await self._docker.log(container)
                raise DockerError(0, f"computer screen did not become ready in time ({why}); it said: {said}")
            await asyncio.sleep(POLL)

    async def allow(self, container: str, token: str) -> None:
        """Let this token control the screen, and no other one."""
        await self._gateway(container, GRANT, token)

    async def revoke(self, container: str) -> None:
        """Let nobody control the screen."""
        await self._gateway(container, REVOKE)

    async def _gateway(self, container: str, script: str, *words: str) -> None:
        command = ["bash", "-c", f"umask 077; {script}", "bash", SCREEN_TOKENS, *words]
        options = {"Cmd": command, "WorkingDir": HOME, "Env": environment()}
        done = await self._docker.execute(container, options)
        if done.exit_code:
            raise DockerError(0, f"control screen failed: {done.stderr.decode(errors='replace')}")

    async def _answers(self, address: str) -> bool:
        timeout = aiohttp.ClientTimeout(total=1.5)
        try:
            async with self._session.get(f"http://{address}:{VIEW_PORT}/{PAGE}", timeout=timeout) as page:
                return page.ok
        except (aiohttp.ClientError, OSError, TimeoutError):
            return False


def _address(container: dict[str, Any]) -> str:
    """Return the computer's address on its own network; empty while it has none."""
    network = container["HostConfig"]["NetworkMode"]
    return str(container["NetworkSettings"]["Networks"].get(network, {}).get("IPAddress") or "")
