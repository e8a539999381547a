"""For tests: jobs for the worker, and artifacts in DATA_DIR."""

import uuid
from typing import Any

from aiohttp import web

from . import jobs
from .artifacts import Artifacts
from .requests import command_field, json_body, refused, text_field


class JobRoutes:
    """`/api/jobs…` and `/api/artifacts…`."""

    def __init__(self, pool: Any, artifacts: Artifacts) -> None:
        self._pool = pool
        self._artifacts = artifacts

    async def create(self, request: web.Request) -> web.Response:
        """Queue a command for a bot's computer."""
        body = await json_body(request)
        run = await jobs.enqueue(self._pool, text_field(body, "bot"), command_field(body))
        return web.json_response({"id": run, "state": "queued"}, status=202)

    async def read(self, request: web.Request) -> web.Response:
        """Return a job and, once the worker is done, its result."""
        try:
            run = str(uuid.UUID(request.match_info["id"]))
        except ValueError as error:
            raise refused(404, "a job's id is a UUID") from error
        answer = await jobs.describe(self._pool, self._artifacts, run)
        if answer is None:
            raise refused(404, f"there is no job {run}")
        return web.json_response(answer)

    async def upload(self, request: web.Request) -> web.Response:
        """Store the body as an artifact."""
        return web.json_response({"id": self._artifacts.write(await request.read())}, status=201)

    async def download(self, request: web.Request) -> web.Response:
        """Return an artifact."""
        content = self._artifacts.read(request.match_info["id"])
        if content is None:
            raise refused(404, "this process's DATA_DIR holds no such artifact")
        return web.Response(body=content, content_type="application/octet-stream")


def add_routes(app: web.Application, pool: Any, artifacts: Artifacts) -> None:
    """Add the routes of jobs and artifacts."""
    routes = JobRoutes(pool, artifacts)
    app.router.add_post("/api/jobs", routes.create)
    app.router.add_get("/api/jobs/{id}", routes.read)
    app.router.add_post("/api/artifacts", routes.upload)
    app.router.add_get("/api/artifacts/{id}", routes.download)
