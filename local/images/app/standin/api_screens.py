"""Screens: api hands out capabilities and tells web, each second anew, where one leads."""

import hmac
import time
from urllib.parse import urlencode

from aiohttp import web

from .capabilities import LONGEST, POLICIES, Capability, CapabilityError, seal, unseal
from .computers import Computers, NoComputerError
from .desktop import CONTROL_PORT, VIEW_PORT
from .provider import ComputerError
from .requests import json_body, refused, text_field

LARGEST_BODY = 16 << 10
PORTS = {"view": VIEW_PORT, "control": CONTROL_PORT}


class ScreenRoutes:
    """`POST /api/computers/<name>/screen` and web's `/api/internal/screen-target`."""

    def __init__(self, secret: str, computers: Computers) -> None:
        self._secret = secret
        self._computers = computers

    async def open(self, request: web.Request) -> web.Response:
        """Return the path under which web shows the screen."""
        body = await json_body(request)
        policy, seconds = body.get("policy", "view"), body.get("seconds", LONGEST)
        if policy not in POLICIES or not isinstance(seconds, int) or not 0 < seconds <= LONGEST:
            raise refused(400, f"policy has to be view or control, seconds 1 to {LONGEST}")
        try:
            computer = await self._computers.find(request.match_info["name"])
        except NoComputerError as error:
            raise refused(404, str(error)) from error
        expires = int(time.time()) + seconds
        sealed = seal(Capability(computer.name, computer.generation, policy, expires), self._secret)
        token = {}
        if policy == "control":
            try:
                token = {"token": await self._computers.provider.control_token(computer.name)}
            except ComputerError as error:
                raise refused(409, str(error)) from error
        socket = f"novnc/{sealed}/websockify" + (f"?{urlencode(token)}" if token else "")
        # noVNC's own page reads from its query where its WebSocket is.
        page = urlencode({"autoconnect": "true", "path": socket, **token})
        return web.json_response(
            {
                "path": f"/novnc/{sealed}/vnc.html?{page}",
                "websocket": f"/{socket}",
                "policy": policy,
                "expires": expires,
            }
        )

    async def target(self, request: web.Request) -> web.Response:
        """Tell web where a capability leads now; it stops leading anywhere once the computer has ended."""
        given = request.headers.get("Authorization", "").encode()
        if not hmac.compare_digest(given, f"Bearer {self._secret}".encode()):
            raise refused(401, "the bearer is not SCREEN_PROXY_SECRET")
        if (request.content_length or 0) > LARGEST_BODY:
            raise web.HTTPRequestEntityTooLarge(LARGEST_BODY, request.content_length or 0)
        try:
            capability = unseal(text_field(await json_body(request), "capability"), self._secret, time.time())
            computer = await self._computers.find(capability.computer)
        except (CapabilityError, NoComputerError) as error:
            raise refused(403, str(error)) from error
        if computer.generation != capability.generation:
            raise refused(403, f"{computer.name} was started anew; ask for its screen again")
        return web.json_response({"host": computer.place.address, "port": PORTS[capability.policy]})


def add_routes(app: web.Application, secret: str, computers: Computers) -> None:
    """Add the screens' routes."""
    routes = ScreenRoutes(secret, computers)
    app.router.add_post("/api/computers/{name}/screen", routes.open)
    app.router.add_post("/api/internal/screen-target", routes.target)
