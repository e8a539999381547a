"""web in this process: host check, page, forwarding and screens before an api and a computer of our own."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web

from local.images.app.standin import screens
from local.images.app.standin.capabilities import Capability, seal
from local.images.app.standin.settings import WebSettings
from local.images.app.standin.web_service import application

from .environments import AUTH, SCREEN
from .loopback import serving

PUBLIC = {"Host": "rakazo.test"}
CAPABILITY = seal(Capability("rakazo-bot-b1", 1, "view", int(time.time()) + 600), SCREEN)


@dataclass
class Setup:
    """web's address, and what api and computer saw and answer."""

    web: str = ""
    session: aiohttp.ClientSession | None = None
    granted: bool = True
    target: dict[str, object] = field(default_factory=dict)
    seen: list[dict[str, str]] = field(default_factory=list)

    def get(self, path: str, **headers: str) -> "aiohttp.client._RequestContextManager":
        assert self.session is not None
        return self.session.get(self.web + path, headers=PUBLIC | headers)


@contextlib.asynccontextmanager
async def deployment() -> AsyncIterator[Setup]:
    setup = Setup()

    async def target(request: web.Request) -> web.Response:
        allowed = setup.granted and request.headers["Authorization"] == f"Bearer {SCREEN}"
        return web.json_response(setup.target, status=200 if allowed else 403)

    async def echo(request: web.Request) -> web.Response:
        setup.seen.append(dict(request.headers))
        return web.Response(text=f"{request.method} {request.path_qs}", headers={"Set-Cookie": "a=b"})

    async def desktop(request: web.Request) -> web.StreamResponse:
        setup.seen.append(dict(request.headers))
        if request.headers.get("Upgrade") != "websocket":
            return web.Response(text=f"screen {request.path_qs}", headers={"Set-Cookie": "stolen=1"})
        socket = web.WebSocketResponse(protocols=("binary",))
        await socket.prepare(request)
        async for message in socket:
            await socket.send_bytes(message.data)
        return socket

    api, computer = web.Application(), web.Application()
    api.router.add_post("/api/internal/screen-target", target)
    api.router.add_route("*", "/{path:.*}", echo)
    computer.router.add_get("/{path:.*}", desktop)
    async with serving(api) as api_address, serving(computer) as address, aiohttp.ClientSession() as session:
        setup.target = {"host": "127.0.0.1", "port": urlsplit(address).port}
        settings = WebSettings(screen_secret=SCREEN, api=api_address, host="rakazo.test")
        async with serving(application(settings, session)) as setup.web:
            setup.session = session
            yield setup


def with_deployment(test: Callable[[Setup], Awaitable[None]]) -> None:
    async def run() -> None:
        async with deployment() as setup:
            await test(setup)

    asyncio.run(run())


def test_every_unknown_path_is_the_page_with_200_even_health() -> None:
    """B121: a check of web's /health proves nothing."""

    async def test(setup: Setup) -> None:
        for path in ("/", "/health", "/chats/1"):
            async with setup.get(path) as answer:
                assert (answer.status, answer.content_type) == (200, "text/html")
                assert "This is not Rakazo" in await answer.text()

    with_deployment(test)


def test_another_host_gets_403_on_every_path() -> None:
    async def test(setup: Setup) -> None:
        for path in ("/", "/health", "/api/x", "/rpc/x"):
            async with setup.get(path, Host="rakazo-web") as answer:
                assert answer.status == 403
        assert setup.seen == []

    with_deployment(test)


def test_api_and_rpc_are_forwarded_with_the_client_s_address_untouched() -> None:
    async def test(setup: Setup) -> None:
        async with setup.get("/api/a%2Fb?c=%20d", **{"X-Forwarded-For": "1.2.3.4", "Cookie": "s=1"}) as answer:
            assert await answer.text() == "GET /api/a%2Fb?c=%20d"
            assert (answer.headers["Connection"], answer.headers["Set-Cookie"]) == ("close", "a=b")
        seen = setup.seen[0]
        assert (seen["X-Forwarded-For"], seen["Cookie"]) == ("1.2.3.4", "s=1")
        assert seen["Host"] != "rakazo.test", "the host is rewritten"

    with_deployment(test)


def test_api_down_is_500_without_a_body() -> None:
    async def run() -> None:
        settings = WebSettings(screen_secret=SCREEN, api="http://127.0.0.1:1", host="rakazo.test")
        async with (
            aiohttp.ClientSession() as session,
            serving(application(settings, session)) as address,
            session.get(address + "/rpc/health", headers=PUBLIC) as answer,
        ):
            assert (answer.status, await answer.read()) == (500, b"")

    asyncio.run(run())


def test_a_screen_s_page_is_shown_and_cookies_are_stripped_both_ways() -> None:
    async def test(setup: Setup) -> None:
        private = {"Cookie": "session=1", "Authorization": "Bearer x"}
        async with setup.get(f"/novnc/{CAPABILITY}/vnc.html?a=b", **private) as answer:
            assert (answer.status, await answer.text()) == (200, "screen /vnc.html?a=b")
            assert "Set-Cookie" not in answer.headers
        assert not {"Cookie", "Authorization"} & set(setup.seen[0])

    with_deployment(test)


@pytest.mark.parametrize(
    ("capability", "host", "granted", "status"),
    [
        (CAPABILITY, "127.0.0.1", False, 403),
        (CAPABILITY, "100.64.0.9", True, 403),
        (seal(Capability("rakazo-bot-b1", 1, "view", 1), SCREEN), "127.0.0.1", True, 403),
        (seal(Capability("rakazo-bot-b1", 1, "view", 2**40), AUTH), "127.0.0.1", True, 403),
        ("session/view/x", "127.0.0.1", True, 403),
        (CAPABILITY, "127.0.0.2", True, 502),
    ],
    ids=["not granted", "outside RFC 1918", "expired", "sealed with another secret", "malformed", "nobody there"],
)
def test_a_screen_is_refused_with_403_and_an_unreachable_one_is_502(
    capability: str, host: str, granted: bool, status: int
) -> None:
    async def test(setup: Setup) -> None:
        setup.granted = granted
        setup.target["host"] = host
        async with setup.get(f"/novnc/{capability}/vnc.html") as answer:
            assert answer.status == status, await answer.text()

    with_deployment(test)


def test_an_open_screen_is_closed_once_api_grants_it_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "RECHECK_SECONDS", 0.05)

    async def test(setup: Setup) -> None:
        assert setup.session is not None
        url = f"{setup.web}/novnc/{CAPABILITY}/websockify"
        async with setup.session.ws_connect(url, headers=PUBLIC, protocols=("binary",)) as socket:
            assert socket.protocol == "binary"
            for _ in range(3):
                await socket.send_bytes(b"frame")
                assert await socket.receive_bytes() == b"frame"
                await asyncio.sleep(0.1)  # two checks pass by; while they grant it, it stays open
            setup.granted = False
            ended = await socket.receive(timeout=2)
            assert ended.type == aiohttp.WSMsgType.CLOSE

    with_deployment(test)
