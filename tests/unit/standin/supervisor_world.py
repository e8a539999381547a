"""A supervisor that answers on loopback, before a Docker of ours and a screen of ours."""

import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web

from local.images.app.standin import container_life, container_screens, supervisor
from local.images.app.standin.docker_engine import DockerEngine
from local.images.app.standin.supervisor_settings import read_supervisor

from .environments import SUPERVISOR, TOKEN
from .fake_docker import FakeDocker
from .loopback import serving

SPACE = "default"


@dataclass
class World:
    """A supervisor that answers, and what is behind it."""

    url: str
    docker: FakeDocker
    session: aiohttp.ClientSession
    home: Path

    async def call(
        self, method: str, path: str, body: Any = None, *, bot: str = "b1", token: str = TOKEN, lease: str = ""
    ) -> tuple[int, Any]:
        """Call the supervisor as api does; the redirect to a screen is not followed."""
        headers = {"Authorization": f"Bearer {token}", "X-Rakazo-Bot-Id": bot, "X-Rakazo-Space-Id": SPACE}
        headers |= {"X-Rakazo-Screen-Lease-Id": lease} if lease else {}
        async with self.session.request(
            method, self.url + path, json=body, headers=headers, allow_redirects=False
        ) as answer:
            content = await answer.json(content_type=None) if answer.status != 302 else answer.headers["Location"]
            return answer.status, content

    async def create(self, bot: str = "b1") -> tuple[int, Any]:
        """Ask for the bot's computer."""
        body = {"botId": bot, "spaceId": SPACE, "homePath": str(self.home.parent / bot)}
        return await self.call("POST", "/computers", body, bot=bot)


@contextlib.asynccontextmanager
async def world(folder: Path, monkeypatch: pytest.MonkeyPatch, changed: Mapping[str, str]) -> AsyncIterator[World]:
    async def page(_request: web.Request) -> web.Response:
        return web.Response(text="a screen")

    home = folder / "homes" / "b1"
    home.mkdir(parents=True)
    (folder / "home").symlink_to(home)
    monkeypatch.setattr(container_life, "require_writable", lambda path: path.stat())
    fake = FakeDocker(folder)
    fake.data_mount["Destination"] = str(folder)
    screen = web.Application()
    screen.router.add_get("/{path:.*}", page)
    async with fake.serving() as socket, serving(screen) as address, aiohttp.ClientSession() as session:
        monkeypatch.setattr(container_screens, "VIEW_PORT", urlsplit(address).port)
        monkeypatch.setattr(container_screens, "READY_SECONDS", 1)
        settings = read_supervisor({**SUPERVISOR, "DATA_DIR": str(folder), **changed})
        connector = aiohttp.UnixConnector(path=socket, force_close=True)
        async with aiohttp.ClientSession(connector=connector) as to_docker:
            application = supervisor.application(settings, DockerEngine(to_docker, socket), session)
            async with serving(application) as url:
                yield World(url, fake, session, home)
