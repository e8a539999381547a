"""web's way to api: `/api` and `/rpc`, unbuffered, with the Host header rewritten."""

import aiohttp
from aiohttp import web

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection"}
CHUNK = 64 << 10


def end_to_end(headers: "aiohttp.typedefs.LooseHeaders", *dropped: str) -> list[tuple[str, str]]:
    """Return the headers that a proxy passes on, without those named in `dropped` (lower case)."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    return [(name, value) for name, value in pairs if name.lower() not in HOP_BY_HOP | set(dropped)]


class Forwarding:
    """Forwards requests to one api."""

    def __init__(self, api: str, session: aiohttp.ClientSession) -> None:
        self._api = api
        self._session = session

    async def forward(self, request: web.Request) -> web.StreamResponse:
        """Return api's answer; api down is 500 with an empty body."""
        # X-Forwarded-For goes through as it came: web adds nothing to it.
        headers = end_to_end(request.headers, "host", "content-length", "expect")
        body = await request.read() if request.can_read_body else None
        response: web.StreamResponse | None = None
        try:
            async with self._session.request(
                request.method,
                self._api + request.raw_path,
                headers=headers,
                data=body,
                allow_redirects=False,
            ) as answer:
                response = web.StreamResponse(status=answer.status, reason=answer.reason)
                response.headers.extend(end_to_end(answer.headers))
                response.headers["Connection"] = "close"
                response.force_close()
                await response.prepare(request)
                async for chunk in answer.content.iter_any():
                    await response.write(chunk)
                await response.write_eof()
                return response
        except (aiohttp.ClientError, OSError):
            if response is not None and response.prepared:
                if request.transport is not None:
                    request.transport.abort()
                return response
            return web.Response(status=500)
