"""Computers as containers of a supervisor: their homes are folders of DATA_DIR, so nothing is copied."""

import asyncio
import base64
import secrets
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from .desktop import VIEW_PORT, home_key
from .provider import Execution, Place, Started
from .supervisor_client import NOT_FOUND, SupervisorClient, SupervisorError
from .workspaces import Workspaces


class SupervisedComputers:
    """The computers of one supervisor."""

    kind = "docker"

    def __init__(self, supervisor: SupervisorClient, workspaces: Workspaces, data: PurePosixPath) -> None:
        self._supervisor = supervisor
        self._workspaces = workspaces
        self._data = data

    async def start(self, name: str) -> Started:
        """Return the computer, on the home that this process made for it."""
        key = home_key(name)
        kept = await asyncio.to_thread(self._workspaces.make, key)
        answer = await self._supervisor.create(key, str(self._data / "homes" / key))
        created = not answer["resumed"]
        return Started(place=_place(answer), created=created, restored=created and kept > 0)

    async def find(self, name: str) -> Place | None:
        """Return where the container runs; None when it is gone or stopped."""
        answer = await self._supervisor.find(name, home_key(name))
        return _place(answer) if answer is not None and answer["running"] else None

    async def end(self, name: str) -> None:
        """Remove the container and its network."""
        await self._supervisor.delete(name, home_key(name))

    async def execute(self, name: str, command: list[str]) -> Execution:
        """Run a command in the computer."""
        body = {"argv": command, "timeoutMs": self._supervisor.command_timeout_ms}
        answer = await self._supervisor.post(name, home_key(name), "exec", body)
        return Execution(answer["code"], answer["stdout"].encode(), answer["stderr"].encode())

    async def write(self, name: str, path: str, content: bytes) -> None:
        """Write a file below the computer's home."""
        body = {"path": path, "content": base64.b64encode(content).decode()}
        await self._supervisor.post(name, home_key(name), "files", body)

    async def read(self, name: str, path: str) -> bytes:
        """Return a file below the computer's home."""
        try:
            answer = await self._supervisor.read(name, home_key(name), path)
        except SupervisorError as error:
            if error.status == NOT_FOUND:
                raise FileNotFoundError(str(error)) from error
            raise
        return base64.b64decode(answer["content"])

    async def save(self, name: str) -> int:
        """Note a revision of the home, which lies in DATA_DIR already, and return how many files it has."""
        return await asyncio.to_thread(self._workspaces.mark, home_key(name))

    async def control_token(self, name: str) -> str:
        """Make a token and let the supervisor hand it to the gateway."""
        token = secrets.token_urlsafe(24)
        body = {"interactive": True, "controlToken": token}
        await self._supervisor.post(name, home_key(name), "screen-mode", body)
        return token

    async def dial(self, place: Place) -> dict[str, bool]:
        """Tell that the supervisor has seen the screen: a computer that it started has one that answered.

        This process is on no network of a computer; web is, and dials.
        """
        return {str(VIEW_PORT): bool(place.address)}


def _place(answer: dict[str, str | None]) -> Place:
    return Place(address=urlsplit(answer["screenUrl"] or "").hostname or "", image=str(answer["image"]))
