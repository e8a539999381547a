"""The supervisor: the only service that speaks to Docker, and makes one container for each computer."""

import asyncio
import contextlib
import hmac
import json
import os
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from . import listeners, log, process
from .container_actions import ActionError
from .container_files import NoFileError, TooLargeError
from .container_home import HomeError
from .container_leases import LeaseError
from .container_life import ContainerLife, StrangerError
from .container_network import ContainerNetworks
from .container_screens import ContainerScreens
from .docker_engine import VERSION, DockerEngine, DockerError
from .egress_check import EgressCheck, EgressError
from .refusals import RefusalError
from .supervisor_routes import SupervisorRoutes, add_routes
from .supervisor_settings import SupervisorSettings, read_supervisor
from .workspaces import PathRefusedError

ROOT = 0
LARGEST_BODY = 24 << 20
"""Bytes; a file of 16 MiB in base64 and what is around it."""
STATUS: dict[type[Exception], int] = {
    StrangerError: 404,
    NoFileError: 404,
    TooLargeError: 413,
    PathRefusedError: 400,
    ActionError: 400,
    LeaseError: 500,
    HomeError: 500,
    EgressError: 500,
    DockerError: 500,
}
"""What became of a request, by what was raised."""


async def main(stop: asyncio.Event) -> int:
    """Run the supervisor; 0 after SIGTERM. Computers go on without it."""
    settings = read_supervisor(os.environ)
    process.require_compile_folder(process.temp_folder(os.environ))
    require_root_and_socket(settings)
    async with contextlib.AsyncExitStack() as stack:
        connector = aiohttp.UnixConnector(path=settings.socket, force_close=True)
        to_docker = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
        to_computers = await stack.enter_async_context(aiohttp.ClientSession())
        docker = DockerEngine(to_docker, settings.socket)
        await require_docker(docker, settings)
        runner = await listeners.listen(application(settings, docker, to_computers), settings.host, settings.port)
        log.say(f"rakazo stand-in supervisor listens on {settings.host}:{settings.port}")
        await stop.wait()
        await asyncio.wait({asyncio.ensure_future(runner.cleanup())}, timeout=1)
    return 0


def require_root_and_socket(settings: SupervisorSettings) -> None:
    """Prove that this process can do its work.

    Raises:
        RefusalError: it is not root, or Docker's socket is not there.

    """
    if os.getuid() != ROOT:
        raise RefusalError([f"it runs as uid {os.getuid()}; Docker's socket and the homes need root (user: root)"])
    if not Path(settings.socket).is_socket():
        raise RefusalError([f"DOCKER_SOCKET {settings.socket} is no socket; mount the machine's there"])


async def require_docker(docker: DockerEngine, settings: SupervisorSettings) -> None:
    """Prove that Docker is new enough and that this process is one of its containers.

    Raises:
        RefusalError: it is not; homes could not be mounted, or screens could not be reached.

    """
    try:
        version = await docker.version()
        spoken = tuple(int(part) for part in version["ApiVersion"].split("."))
        if spoken < VERSION:
            raise RefusalError([f"Docker Engine {version['Version']} is too old; 26 or newer is needed"])
        await docker.container(settings.container)
    except DockerError as error:
        why = f"Docker does not know this process as the container {settings.container} (HOSTNAME): {error}"
        raise RefusalError([why]) from error


def application(
    settings: SupervisorSettings, docker: DockerEngine, to_computers: aiohttp.ClientSession
) -> web.Application:
    """Return the supervisor's routes."""
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=[_errors, _guard(settings.token)])
    networks = ContainerNetworks(docker, settings.container, named=settings.egress != "open")
    screens = ContainerScreens(docker, to_computers)
    life = ContainerLife(settings, docker, networks, screens, EgressCheck(docker, settings.image))

    async def health(_request: web.Request) -> web.Response:
        return web.json_response({"ok": True, "image": settings.image})

    app.router.add_get("/health", health)
    add_routes(app, SupervisorRoutes(life, screens, docker))
    return app


def _guard(token: str) -> Any:
    @web.middleware
    async def guard(request: web.Request, handler: Any) -> web.StreamResponse:
        given = request.headers.get("Authorization", "").encode()
        if request.path != "/health" and not hmac.compare_digest(given, f"Bearer {token}".encode()):
            return web.json_response({"error": "unauthorized"}, status=401)
        answer: web.StreamResponse = await handler(request)
        return answer

    return guard


@web.middleware
async def _errors(request: web.Request, handler: Any) -> web.StreamResponse:
    """Answer an error as `{"error": …}`; what went wrong on the machine is in the log, too."""
    try:
        answer: web.StreamResponse = await handler(request)
    except web.HTTPException as error:
        message = (
            json.loads(error.text or "{}")["message"] if error.content_type == "application/json" else error.reason
        )
        return web.json_response({"error": message}, status=error.status)
    except tuple(STATUS) as error:
        status = next(code for kind, code in STATUS.items() if isinstance(error, kind))
        if status >= 500:  # noqa: PLR2004 -- HTTP's own limit
            log.complain("supervisor", f"{request.method} {request.path}: {error}")
        return web.json_response({"error": str(error)}, status=status)
    return answer
