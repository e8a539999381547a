"""The way in as a real proxy between real sockets of the loopback."""

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from aiohttp import ClientSession, WSMsgType, web

from local.entrance.door import BODY_LIMIT_BYTES, Door, Targets, is_internal
from local.entrance.tunnel import Tunnel

CLOSED = "127.0.0.1:1"


@asynccontextmanager
async def served(application: web.Application) -> AsyncIterator[str]:
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def backend(name: str) -> web.Application:
    """Echo what arrives, so that a test sees what the application would see."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            link = web.WebSocketResponse(protocols=("binary",))
            await link.prepare(request)
            async for message in link:
                if message.type is WSMsgType.BINARY:
                    await link.send_bytes(message.data[::-1])
            return link
        if request.path == "/elsewhere":
            return web.Response(status=302, headers={"Location": "http://example.org/"})
        body = await request.read()
        seen = {key: request.headers.getall(key) for key in request.headers}
        return web.json_response({"name": name, "path": request.raw_path, "headers": seen, "bytes": len(body)})

    application = web.Application(client_max_size=2 * BODY_LIMIT_BYTES)
    application.router.add_route("*", "/{path:.*}", answer)
    return application


def through_door(check: Callable[[ClientSession, str], Awaitable[None]]) -> None:
    async def run() -> None:
        async with AsyncExitStack() as stack:
            web_address = await stack.enter_async_context(served(backend("web")))
            api_address = await stack.enter_async_context(served(backend("api")))
            door = Door(Targets(web=web_address, api=api_address)).application()
            address = await stack.enter_async_context(served(door))
            session = await stack.enter_async_context(ClientSession())
            await check(session, f"http://{address}")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "service"), [("/", "web"), ("/health", "api"), ("/health/", "web"), ("/api/a%2Fb?x=1", "web")]
)
def test_only_the_health_check_reaches_the_api_directly(path: str, service: str) -> None:
    """B121: web answers 200 with its page for /health, so a check through it passes falsely."""

    async def check(session: ClientSession, url: str) -> None:
        answer = await (await session.get(url + path)).json()
        assert (answer["name"], answer["path"]) == (service, path)

    through_door(check)


def test_the_application_sees_one_client_address_whatever_the_client_claims() -> None:
    async def check(session: ClientSession, url: str) -> None:
        claimed = {"X-Forwarded-For": "203.0.113.7, 10.0.0.1", "Forwarded": "for=203.0.113.7", "X-Real-Ip": "1.2.3.4"}
        answer = await (await session.get(url, headers={**claimed, "Host": "rakazo.example"})).json()
        assert answer["headers"]["X-Forwarded-For"] == ["127.0.0.1"]
        assert answer["headers"]["Host"] == ["rakazo.example"]
        assert "203.0.113.7" not in str(answer)
        assert "1.2.3.4" not in str(answer)

    through_door(check)


@pytest.mark.parametrize(
    "path",
    [
        "/api/internal",
        "/api/internal/screens",
        "//api//internal/x",
        "/api/./internal/x",
        "/x/../api/internal",
        "/API/Internal/x",
        "/api\\internal",
    ],
)
def test_internal_paths_are_refused_however_they_are_spelled(path: str) -> None:
    assert is_internal(path)


@pytest.mark.parametrize("path", ["/api/internals", "/internal", "/api", "/api/v1/internal", "/"])
def test_paths_that_only_look_internal_are_served(path: str) -> None:
    assert not is_internal(path)


def test_an_internal_path_is_answered_by_the_door_itself() -> None:
    async def check(session: ClientSession, url: str) -> None:
        assert (await session.get(f"{url}/api/internal/screens")).status == web.HTTPForbidden.status_code

    through_door(check)


def test_a_request_of_the_limit_passes_and_one_byte_more_is_refused() -> None:
    """B114: uploads must not fail at an unstated smaller limit."""

    async def check(session: ClientSession, url: str) -> None:
        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(21):
                yield bytes(1024 * 1024)

        fits = await session.post(url, data=io.BytesIO(bytes(BODY_LIMIT_BYTES)))
        assert (await fits.json())["bytes"] == BODY_LIMIT_BYTES
        assert (await session.post(url, data=io.BytesIO(bytes(BODY_LIMIT_BYTES + 1)))).status == 413
        assert (await session.post(url, data=chunks())).status == 413

    through_door(check)


def test_a_redirect_is_passed_on_and_not_followed() -> None:
    async def check(session: ClientSession, url: str) -> None:
        answer = await session.get(f"{url}/elsewhere", allow_redirects=False)
        assert (answer.status, answer.headers["Location"]) == (302, "http://example.org/")

    through_door(check)


def test_a_websocket_passes_both_ways_with_its_subprotocol() -> None:
    async def check(session: ClientSession, url: str) -> None:
        async with session.ws_connect(f"{url}/novnc/websockify", protocols=("binary",)) as link:
            assert link.protocol == "binary"
            await link.send_bytes(b"abc")
            assert await link.receive_bytes(timeout=5) == b"cba"

    through_door(check)


def test_an_application_that_is_not_there_is_a_bad_gateway() -> None:
    async def run() -> None:
        door = Door(Targets(web=CLOSED, api=CLOSED)).application()
        async with served(door) as address, ClientSession() as session:
            assert (await session.get(f"http://{address}/")).status == 502
            assert (await session.get(f"http://{address}/health")).status == 502

    asyncio.run(run())


def test_the_tunnel_carries_bytes_and_the_end_of_each_direction() -> None:
    async def reverse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.read())[::-1])  # answers only after the client's half-close
        await writer.drain()
        writer.close()

    async def run() -> None:
        target = await asyncio.start_server(reverse, "127.0.0.1", 0)
        tunnel = Tunnel("127.0.0.1", target.sockets[0].getsockname()[1])
        front = await asyncio.start_server(tunnel.serve, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*front.sockets[0].getsockname())
        writer.write(b"abc")
        writer.write_eof()
        assert await asyncio.wait_for(reader.read(), 5) == b"cba"
        writer.close()
        for server in (front, target):
            server.close()
            await server.wait_closed()

    asyncio.run(run())


def test_a_tunnel_to_nowhere_closes_the_connection() -> None:
    async def run() -> None:
        front = await asyncio.start_server(Tunnel("127.0.0.1", 1).serve, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*front.sockets[0].getsockname())
        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()
        front.close()
        await front.wait_closed()

    asyncio.run(run())
