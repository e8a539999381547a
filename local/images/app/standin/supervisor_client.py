"""The supervisor as api and worker call it: bearer, identity of the computer, JSON both ways."""

from typing import Any
from urllib.parse import quote

import aiohttp

from .provider import ProviderError
from .sandbox_settings import DockerSandbox

SPACE = "default"
"""The stand-in has no spaces; the supervisor wants one."""
REQUEST_SECONDS = 150
"""A computer may take 45 s to show its screen, after its image's layers have been read from a cold disk."""
NOT_FOUND = 404
ERRORS_FROM = 400


class SupervisorError(ProviderError):
    """The supervisor said no; `status` is its HTTP status, 0 when it was not reached."""

    provider = "docker"


class SupervisorClient:
    """One supervisor. The token goes to it and nowhere else."""

    def __init__(self, session: aiohttp.ClientSession, settings: DockerSandbox) -> None:
        self._session = session
        self._settings = settings

    @property
    def command_timeout_ms(self) -> int:
        """How long a command on a computer may take, in milliseconds."""
        return round(self._settings.command_timeout * 1000)

    async def create(self, key: str, home: str) -> dict[str, Any]:
        """Return the computer of a home, made or started when it does not run."""
        body = {"botId": key, "spaceId": SPACE, "homePath": home}
        return await self._call("POST", "/computers", key, json=body)

    async def find(self, name: str, key: str) -> dict[str, Any] | None:
        """Describe a computer; None when there is none."""
        try:
            return await self._call("GET", _path(name), key)
        except SupervisorError as error:
            if error.status == NOT_FOUND:
                return None
            raise

    async def delete(self, name: str, key: str) -> None:
        """Remove a computer; one that is gone already is tolerated."""
        try:
            await self._call("DELETE", _path(name), key)
        except SupervisorError as error:
            if error.status != NOT_FOUND:
                raise

    async def post(self, name: str, key: str, verb: str, body: dict[str, Any]) -> dict[str, Any]:
        """Do something with a computer."""
        return await self._call("POST", f"{_path(name)}/{verb}", key, json=body)

    async def read(self, name: str, key: str, path: str) -> dict[str, Any]:
        """Return a file's content, base64."""
        return await self._call("GET", f"{_path(name)}/files", key, params={"path": path, "mode": "read"})

    async def _call(self, method: str, path: str, key: str, **more: Any) -> dict[str, Any]:
        headers = {
            "Authorization": f"Bearer {self._settings.token}",
            "X-Rakazo-Bot-Id": key,
            "X-Rakazo-Space-Id": SPACE,
            "X-Rakazo-Screen-Id": key,
        }
        seconds = max(REQUEST_SECONDS, self._settings.command_timeout + 10)
        timeout = aiohttp.ClientTimeout(total=seconds)
        try:
            async with self._session.request(
                method, self._settings.url + path, headers=headers, timeout=timeout, **more
            ) as response:
                answer: dict[str, Any] = await response.json(content_type=None)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise SupervisorError(0, f"the supervisor was not reached: {error!r}") from error
        except ValueError as error:
            raise SupervisorError(0, f"the supervisor answered no JSON: {error}") from error
        if response.status >= ERRORS_FROM:
            raise SupervisorError(response.status, f"the supervisor refused: {answer.get('error', answer)}")
        return answer


def _path(name: str) -> str:
    return f"/computers/{quote(name, safe='')}"
