"""Screens through web: a capability in the path, a computer behind it, api asked again every second."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import aiohttp
from aiohttp import web

from .capabilities import CapabilityError, unseal
from .forwarding import end_to_end
from .screen_targets import may_dial
from .settings import WebSettings

RECHECK_SECONDS = 1.0
PING_SECONDS = 30.0
PARTS = 3
"""Path parts of a capability: session, policy, sealed."""
DROPPED = ("host", "cookie", "authorization", "set-cookie", "www-authenticate", "content-length")
OK = 200


class ScreenRefusedError(Exception):
    """The screen is not shown; carries the status."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Screens:
    """`/novnc/<capability>/…`, HTTP and WebSocket."""

    def __init__(self, settings: WebSettings, session: aiohttp.ClientSession) -> None:
        self._settings = settings
        self._session = session

    async def show(self, request: web.Request) -> web.StreamResponse:
        """Serve one request of a screen.

        403: no valid capability, or an address web does not dial. 502: the computer or api is not reached.
        """
        pieces = request.raw_path.removeprefix("/novnc/").split("/", PARTS)
        capability = "/".join(pieces[:PARTS])
        rest = pieces[PARTS] if len(pieces) > PARTS else ""
        try:
            host, port = await self._target(capability)
            target = f"//{host}:{port}/{rest}"
            if request.headers.get("Upgrade", "").lower() == "websocket":
                return await self._socket(request, "ws:" + target, capability)
            return await self._page(request, "http:" + target, capability)
        except ScreenRefusedError as refusal:
            return web.Response(status=refusal.status, text=f"stand-in: {refusal}\n")
        except (aiohttp.ClientError, OSError) as error:
            return web.Response(status=502, text=f"stand-in: the computer was not reached: {error}\n")

    async def _target(self, capability: str) -> tuple[str, int]:
        try:
            unseal(capability, self._settings.screen_secret, time.time())
        except (CapabilityError, ValueError) as error:
            raise ScreenRefusedError(403, str(error)) from error
        try:
            async with self._session.post(
                f"{self._settings.api}/api/internal/screen-target",
                json={"capability": capability},
                headers={"Authorization": f"Bearer {self._settings.screen_secret}"},
                timeout=aiohttp.ClientTimeout(total=5),
            ) as answer:
                if answer.status != OK:
                    raise ScreenRefusedError(403, f"api answered {answer.status}: {await answer.text()}")
                place = await answer.json()
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise ScreenRefusedError(502, f"api was not reached: {error!r}") from error
        if not may_dial(place["host"], place["port"]):
            raise ScreenRefusedError(403, f"{place['host']} is no RFC 1918 address; screens need one")
        return place["host"], place["port"]

    async def _page(self, request: web.Request, target: str, capability: str) -> web.StreamResponse:
        async with self._session.request(
            request.method,
            target,
            headers=end_to_end(request.headers, *DROPPED),
            data=await request.read() if request.can_read_body else None,
            allow_redirects=False,
        ) as answer:
            response = web.StreamResponse(status=answer.status, reason=answer.reason)
            response.headers.extend(end_to_end(answer.headers, *DROPPED))
            await response.prepare(request)

            async def copy() -> None:
                async for chunk in answer.content.iter_any():
                    await response.write(chunk)
                await response.write_eof()

            await self._while_allowed(capability, copy())
            return response

    async def _socket(self, request: web.Request, target: str, capability: str) -> web.StreamResponse:
        offered = request.headers.get("Sec-WebSocket-Protocol", "")
        protocols = tuple(one.strip() for one in offered.split(",") if one.strip())
        async with self._session.ws_connect(target, protocols=protocols, max_msg_size=0) as computer:
            chosen = (computer.protocol,) if computer.protocol else ()
            browser = web.WebSocketResponse(protocols=chosen, max_msg_size=0, heartbeat=PING_SECONDS)
            await browser.prepare(request)
            await self._while_allowed(capability, _copy(browser, computer), _copy(computer, browser))
            await browser.close()
            return browser

    async def _while_allowed(self, capability: str, *copies: Coroutine[Any, Any, None]) -> None:
        """Run until one direction ends or api stops granting the capability."""
        running = {asyncio.ensure_future(copy) for copy in copies}
        running.add(asyncio.ensure_future(self._granted(capability)))
        try:
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        for task in done:
            task.result()

    async def _granted(self, capability: str) -> None:
        """Return when the capability is no longer granted."""
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            try:
                await self._target(capability)
            except ScreenRefusedError:
                return


async def _copy(
    source: aiohttp.ClientWebSocketResponse | web.WebSocketResponse,
    sink: aiohttp.ClientWebSocketResponse | web.WebSocketResponse,
) -> None:
    async for message in source:
        if message.type == aiohttp.WSMsgType.BINARY:
            await sink.send_bytes(message.data)
        elif message.type == aiohttp.WSMsgType.TEXT:
            await sink.send_str(message.data)
