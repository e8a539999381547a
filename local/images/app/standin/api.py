"""The api: sign-in, events, and for tests the computers, jobs and artifacts of the deployment."""

import asyncio
import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from . import api_accounts, api_computers, api_jobs, api_screens, data_folder, database, listeners, log, process
from .artifacts import Artifacts
from .computers import Computers
from .events import Events
from .provider import ProviderError
from .providers import open_provider
from .refusals import RefusalError
from .settings import ApiSettings, read_api

STREAM_SECONDS = 8.0
"""How long open event streams hold up the end, as measured."""
LARGEST_BODY = 16 << 20
VERSION = "0.1.0"


@dataclass(frozen=True)
class Services:
    """What the routes work with."""

    settings: ApiSettings
    pool: Any
    computers: Computers
    artifacts: Artifacts
    events: Events


async def main(stop: asyncio.Event) -> int:
    """Run api; 0 after SIGTERM."""
    settings = read_api(os.environ)
    process.require_compile_folder(process.temp_folder(os.environ))
    shared = settings.shared
    data = Path(shared.data)
    data_folder.require_writable(data)
    try:
        pool = await process.until(stop, _open(settings))
    except process.StoppedError:
        return 0
    async with contextlib.AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        services = Services(
            settings=settings,
            pool=pool,
            computers=Computers(pool, open_provider(session, shared), shared.sandbox.most),
            artifacts=Artifacts(data),
            events=Events(),
        )
        await stack.enter_async_context(database.listening(shared.realtime_database_url, services.events.heard))
        runner = await listeners.listen(application(services), settings.host, settings.port)
        log.say(f"rakazo stand-in api listens on {settings.host}:{settings.port}")
        await stop.wait()
        await listeners.stop_accepting(runner)
        await services.events.end(STREAM_SECONDS)
        await asyncio.wait({asyncio.ensure_future(runner.cleanup())}, timeout=1)
    pool.terminate()
    return 0


async def _open(settings: ApiSettings) -> Any:
    """Connect, write the deployment's settings row and mark DATA_DIR as this database's.

    Raises:
        RefusalError: no database, the wrong password, migrate has not run, or DATA_DIR cannot be written.

    """
    shared = settings.shared
    try:
        pool = await database.pool(shared.database_url, shared.pool_size, "rakazo-api")
        await pool.execute(
            "INSERT INTO deployment_settings (id, started) VALUES (1, now())"
            " ON CONFLICT (id) DO UPDATE SET started = now()"
        )
        await data_folder.mark(Path(shared.data), pool)
    except database.Error as error:
        raise RefusalError([f"Postgres cannot be used (not reached or not migrated): {error}"]) from error
    return pool


def application(services: Services) -> web.Application:
    """Return api's routes."""
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=[_errors])
    health = _health(services.settings, services.computers.provider.kind)
    app.router.add_get("/health", health)
    app.router.add_get("/internal/health", health)
    app.router.add_post("/rpc/health", _rpc_health)
    app.router.add_get("/rpc/events", services.events.stream)
    app.router.add_post("/rpc/events", services.events.stream)
    api_accounts.add_routes(app, services.settings, services.pool)
    api_computers.add_routes(app, services.computers)
    api_screens.add_routes(app, services.settings.screen_secret, services.computers)
    api_jobs.add_routes(app, services.pool, services.artifacts)
    return app


def _health(settings: ApiSettings, sandbox: str) -> Any:
    body = {
        "ok": True,
        "runtime": settings.shared.runtime,
        "sandbox": sandbox,
        "composio": settings.shared.composio,
        "pipedream": False,
        "messaging": False,
        "email": None,
        "jobs": "graphile",
        "realtime": "postgres",
        "revision": settings.revision,
    }

    async def health(_request: web.Request) -> web.Response:
        return web.json_response(body)

    return health


async def _rpc_health(_request: web.Request) -> web.Response:
    return web.json_response({"json": {"ok": True, "version": VERSION}})


@web.middleware
async def _errors(request: web.Request, handler: Any) -> web.StreamResponse:
    """Turn a provider's refusal into 502 with its message; anything else unforeseen is an unlogged 500."""
    try:
        answer: web.StreamResponse = await handler(request)
    except ProviderError as error:
        body = {"error": error.provider, "status": error.status, "message": str(error)}
        return web.json_response(body, status=502)
    except database.Error as error:
        # OSError is among them; one that names a file is about DATA_DIR.
        kind = "storage" if getattr(error, "filename", None) else "database"
        return web.json_response({"error": kind, "message": str(error)}, status=500)
    return answer
