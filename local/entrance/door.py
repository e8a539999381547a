"""The way in to the application: a reverse proxy to the NodePorts of web and api.

It stands where a load balancer stands in a cloud: it tells the application one client address, whatever the client
claimed, keeps the Host header and limits a request's size.
"""

import asyncio
import io
from dataclasses import dataclass

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector, WSMsgType, web
from multidict import CIMultiDict
from yarl import URL

BODY_LIMIT_BYTES = 20 * 1024 * 1024
CONNECT_SECONDS = 10.0
WEBSOCKET_FRAME_BYTES = 16 * 1024 * 1024
HEALTH = "/health"
INTERNAL = "/api/internal"

# Headers that belong to one connection, not to the request (RFC 9110 §7.6.1), and those that we set ourselves.
OF_CONNECTION = frozenset(
    ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "content-length"]
)
OF_CLIENT = frozenset(["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip", "forwarded"])
OF_HANDSHAKE = frozenset(
    ["sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "sec-websocket-protocol"]
)


@dataclass(frozen=True)
class Targets:
    """Where the two services answer, as `host:port`."""

    web: str
    api: str

    def of(self, path: str) -> str:
        """Only the health check is the api's; everything else, the app's own /api too, goes through web."""
        return self.api if path == HEALTH else self.web


def forwarded_headers(request: web.BaseRequest, *, dropped: frozenset[str] = frozenset()) -> CIMultiDict[str]:
    """Return the request's headers as the application shall see them."""
    named = {part.strip().lower() for part in request.headers.get("Connection", "").split(",")}
    headers = CIMultiDict(
        (name, value)
        for name, value in request.headers.items()
        if name.lower() not in OF_CONNECTION | OF_CLIENT | dropped | named
    )
    headers["X-Forwarded-For"] = request.remote or "127.0.0.1"
    headers["X-Forwarded-Proto"] = "http"
    return headers


class Door:
    """The proxy."""

    def __init__(self, targets: Targets) -> None:
        """Lead to `targets`; `application` is served by the caller."""
        self._targets = targets
        self._session: ClientSession | None = None

    def application(self) -> web.Application:
        """Return the aiohttp application, which opens and closes its own client session."""
        # Bounds bodies that do not say their length; those that do are refused before a byte is read.
        application = web.Application(client_max_size=BODY_LIMIT_BYTES)
        application.router.add_route("*", "/{path:.*}", self._handle)
        application.on_startup.append(self._open)
        application.on_cleanup.append(self._close)
        return application

    async def _open(self, _: web.Application) -> None:
        self._session = ClientSession(
            connector=TCPConnector(limit=0),
            timeout=ClientTimeout(total=None, connect=CONNECT_SECONDS),
            auto_decompress=False,
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
        )

    async def _close(self, _: web.Application) -> None:
        if self._session is not None:
            await self._session.close()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        # Compared as the application will see it: decoded, and with no doubled or dotted segments.
        if is_internal(request.path):
            return web.Response(status=403, text="internal paths are not served to the outside\n")
        if (request.content_length or 0) > BODY_LIMIT_BYTES:
            return web.Response(status=413, text=f"a request is limited to {BODY_LIMIT_BYTES} bytes\n")
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._websocket(request)
        return await self._forward(request)

    def _url(self, request: web.Request) -> URL:
        """Return where the request goes, its path spelled as the client spelled it."""
        return URL(f"http://{self._targets.of(request.path)}{request.raw_path}", encoded=True)

    async def _forward(self, request: web.Request) -> web.StreamResponse:
        assert self._session is not None  # noqa: S101 - opened on start-up
        body = io.BytesIO(await request.read()) if request.can_read_body else None
        url = self._url(request)
        try:
            async with self._session.request(
                request.method, url, headers=forwarded_headers(request), data=body, allow_redirects=False
            ) as answer:
                headers = CIMultiDict(
                    (name, value) for name, value in answer.headers.items() if name.lower() not in OF_CONNECTION
                )
                response = web.StreamResponse(status=answer.status, reason=answer.reason, headers=headers)
                if answer.content_length is not None:
                    response.content_length = answer.content_length
                await response.prepare(request)
                async for chunk in answer.content.iter_any():
                    await response.write(chunk)
                await response.write_eof()
                return response
        except (ClientError, TimeoutError) as error:
            return web.Response(status=502, text=f"the application does not answer: {error}\n")

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        assert self._session is not None  # noqa: S101 - opened on start-up
        protocols = [part.strip() for part in request.headers.get("Sec-WebSocket-Protocol", "").split(",") if part]
        url = self._url(request)
        try:
            async with self._session.ws_connect(
                url,
                headers=forwarded_headers(request, dropped=OF_HANDSHAKE),
                protocols=protocols,
                max_msg_size=WEBSOCKET_FRAME_BYTES,
            ) as inner:
                outer = web.WebSocketResponse(
                    protocols=[inner.protocol] if inner.protocol else (), max_msg_size=WEBSOCKET_FRAME_BYTES
                )
                await outer.prepare(request)
                pumps = {asyncio.create_task(_pump(outer, inner)), asyncio.create_task(_pump(inner, outer))}
                _, waiting = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for pump in waiting:
                    pump.cancel()
                await outer.close()
                return outer
        except ClientError as error:
            status = getattr(error, "status", 502)
            return web.Response(status=status, text=f"the application refused the WebSocket: {error}\n")


def is_internal(path: str) -> bool:
    """Whether a decoded path leads to the application's internal routes, however it is spelled."""
    segments: list[str] = []
    for segment in path.replace("\\", "/").split("/"):
        if segment == "..":
            segments = segments[:-1]
        elif segment not in {"", "."}:
            segments.append(segment.lower())
    return "/" + "/".join(segments[:2]) == INTERNAL


async def _pump(source: object, sink: object) -> None:
    async for message in source:  # type: ignore[attr-defined]
        if message.type is WSMsgType.TEXT:
            await sink.send_str(message.data)  # type: ignore[attr-defined]
        elif message.type is WSMsgType.BINARY:
            await sink.send_bytes(message.data)  # type: ignore[attr-defined]
