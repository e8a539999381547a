"""web: one public host name, the page, api's paths and the screens."""

import asyncio
import os
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from . import listeners, log, process
from .forwarding import Forwarding
from .host_check import host_allowed
from .screens import Screens
from .settings import WebSettings, read_web

ADDRESS = "0.0.0.0"
"""IPv4 only, as `--host 0.0.0.0` on the command line says."""
PORT = 5173
PREVIEW_FOLDER = Path("node_modules/.vite-temp")
"""Below /app/apps/web, where web is started."""
LARGEST_BODY = 20 << 20
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Rakazo stand-in</title></head>
<body>
<h1>Rakazo stand-in</h1>
<p>This is not Rakazo. It is a double of its services that rakazo-infra runs on machines without the
published images, to prove a deployment. Set the app and computer images of your stack to run the product.</p>
</body>
</html>
"""


async def main(stop: asyncio.Event) -> int:
    """Run web; 143 after SIGTERM, open screens and streams being cut at once."""
    settings = read_web(os.environ)
    process.require_preview_folder(PREVIEW_FOLDER)
    async with aiohttp.ClientSession(
        auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar(), timeout=aiohttp.ClientTimeout(total=None)
    ) as session:
        await listeners.listen(application(settings, session), ADDRESS, PORT)
        log.say(f"rakazo stand-in web listens on {ADDRESS}:{PORT} for {settings.host}")
        await stop.wait()
        # Without ceremony: the process ends here and takes every connection with it.
        os._exit(process.TERMINATED)
    return process.TERMINATED


def application(settings: WebSettings, session: aiohttp.ClientSession) -> web.Application:
    """Return web's routes."""
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=[_host_guard(settings.host)])
    forwarding = Forwarding(settings.api, session)
    screens = Screens(settings, session)

    async def everything(request: web.Request) -> web.StreamResponse:
        if request.path.startswith(("/api", "/rpc")):
            return await forwarding.forward(request)
        if request.path.startswith("/novnc/"):
            return await screens.show(request)
        if request.method not in {"GET", "HEAD"}:
            return web.Response(status=404)
        return web.Response(text=PAGE, content_type="text/html", headers={"Cache-Control": "no-cache"})

    app.router.add_route("*", "/{path:.*}", everything)
    return app


def _host_guard(public_host: str) -> Any:
    @web.middleware
    async def guard(request: web.Request, handler: Any) -> web.StreamResponse:
        header = request.headers.get("Host")
        if not host_allowed(header, public_host):
            text = f"stand-in: host {header!r} is not allowed, RAKAZO_HOST is {public_host!r}\n"
            return web.Response(status=403, text=text)
        answer: web.StreamResponse = await handler(request)
        return answer

    return guard
