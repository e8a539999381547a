"""Docker's own API over its socket: the few calls that a supervisor makes."""

import json
from typing import Any

import aiohttp

from . import docker_exec
from .provider import Execution

VERSION = (1, 45)
"""Docker Engine 26: the first that mounts a folder of a volume."""
NOT_FOUND = 404
CONFLICT = 409
ERRORS_FROM = 400
BASE = "/v" + ".".join(map(str, VERSION))
REQUEST_SECONDS = 120


class DockerError(Exception):
    """Docker said no; `status` is its HTTP status, 0 when it was not reached."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class DockerEngine:
    """One Docker Engine; `session` has a connector to its socket."""

    def __init__(self, session: aiohttp.ClientSession, socket: str) -> None:
        self._session = session
        self._socket = socket

    async def version(self) -> dict[str, Any]:
        """Return what it says of itself, also if it is too old for every other call."""
        found: dict[str, Any] = await self._call("GET", "/version", base="")
        return found

    async def image(self, reference: str) -> dict[str, Any]:
        """Describe an image that is on this machine."""
        found: dict[str, Any] = await self._call("GET", f"/images/{reference}/json")
        return found

    async def container(self, name: str) -> dict[str, Any]:
        """Describe a container."""
        found: dict[str, Any] = await self._call("GET", f"/containers/{name}/json")
        return found

    async def containers(self, *labels: str) -> list[dict[str, Any]]:
        """List the containers with all of these labels, running or not."""
        params = {"all": "true", "filters": json.dumps({"label": list(labels)})}
        found: list[dict[str, Any]] = await self._call("GET", "/containers/json", params=params)
        return found

    async def create(self, name: str, options: dict[str, Any]) -> str:
        """Create a container and return its identifier."""
        answer = await self._call("POST", "/containers/create", params={"name": name}, json=options)
        return str(answer["Id"])

    async def start(self, name: str) -> None:
        """Start a container; one that runs is left alone."""
        await self._call("POST", f"/containers/{name}/start")

    async def stop(self, name: str, seconds: int) -> None:
        """Stop a container, after `seconds` by force."""
        await self._call("POST", f"/containers/{name}/stop", params={"t": str(seconds)})

    async def wait(self, name: str) -> int:
        """Wait for the end of a container and return its exit status."""
        answer = await self._call("POST", f"/containers/{name}/wait")
        return int(answer["StatusCode"])

    async def log(self, name: str, lines: int = 20) -> str:
        """Return the last lines of a container with a terminal."""
        params = {"stdout": "true", "stderr": "true", "tail": str(lines)}
        text: str = await self._call("GET", f"/containers/{name}/logs", text=True, params=params)
        return text.strip()

    async def remove(self, name: str) -> None:
        """Remove a container, running or not; one that is gone is tolerated."""
        await self._unless(NOT_FOUND, "DELETE", f"/containers/{name}", params={"force": "true", "v": "true"})

    async def network(self, name: str) -> dict[str, Any] | None:
        """Describe a network; None when there is none."""
        found: dict[str, Any] | None = await self._unless(NOT_FOUND, "GET", f"/networks/{name}")
        return found

    async def create_network(self, name: str, options: dict[str, str]) -> None:
        """Create a bridge network; one of that name is tolerated."""
        body = {"Name": name, "Driver": "bridge", "Options": options}
        await self._unless(CONFLICT, "POST", "/networks/create", json=body)

    async def connect(self, network: str, container: str) -> None:
        """Connect a container to a network."""
        await self._call("POST", f"/networks/{network}/connect", json={"Container": container})

    async def disconnect(self, network: str, container: str) -> None:
        """Disconnect a container from a network; one that is not on it is tolerated."""
        body = {"Container": container, "Force": True}
        await self._unless(NOT_FOUND, "POST", f"/networks/{network}/disconnect", json=body)

    async def remove_network(self, name: str) -> None:
        """Remove a network without containers."""
        await self._unless(NOT_FOUND, "DELETE", f"/networks/{name}")

    async def execute(self, name: str, options: dict[str, Any], stdin: bytes | None = None) -> Execution:
        """Run a command in a container to its end."""
        streams = {"AttachStdin": stdin is not None, "AttachStdout": True, "AttachStderr": True}
        prepared = await self._call("POST", f"/containers/{name}/exec", json={**options, **streams})
        try:
            wrote = await docker_exec.attach(self._socket, BASE, prepared["Id"], stdin)
        except OSError as error:
            raise DockerError(0, f"exec in {name}: {error}") from error
        ended = await self._call("GET", f"/exec/{prepared['Id']}/json")
        return Execution(int(ended["ExitCode"] or 0), wrote.stdout, wrote.stderr)

    async def _unless(self, status: int, method: str, path: str, **more: Any) -> Any:
        """Return the answer, or None when Docker refuses with this status."""
        try:
            return await self._call(method, path, **more)
        except DockerError as error:
            if error.status == status:
                return None
            raise

    async def _call(self, method: str, path: str, *, base: str = BASE, text: bool = False, **more: Any) -> Any:
        timeout = aiohttp.ClientTimeout(total=REQUEST_SECONDS)
        try:
            async with self._session.request(method, f"http://docker{base}{path}", timeout=timeout, **more) as response:
                content = await response.text(errors="replace")
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise DockerError(0, f"Docker was not reached at {self._socket}: {error!r}") from error
        if response.status >= ERRORS_FROM:
            raise DockerError(response.status, f"{method} {path}: HTTP {response.status} {_message(content)}")
        return content if text else json.loads(content) if content.strip() else {}


def _message(content: str) -> str:
    try:
        return str(json.loads(content)["message"])
    except (ValueError, KeyError, TypeError):
        return content.strip()
