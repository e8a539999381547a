"""The supervisor's routes: each about one computer, whose owner the headers name."""

import base64
from typing import Any

from aiohttp import web

from .container import environment
from .container_actions import ContainerActions
from .container_files import LARGEST, LARGEST_CONTENT, ContainerFiles
from .container_leases import ScreenLeases
from .container_life import ContainerLife, Owner
from .container_screens import TOKEN, ContainerScreens
from .desktop import HOME
from .docker_engine import DockerEngine
from .requests import json_body, refused, text_field

LONGEST_COMMAND_MS = 3_600_000
DEFAULT_COMMAND_MS = 300_000
TIMED_OUT = 124


class SupervisorRoutes:
    """`/computers…`."""

    def __init__(self, life: ContainerLife, screens: ContainerScreens, docker: DockerEngine) -> None:
        self._life = life
        self._screens = screens
        self._files = ContainerFiles(docker)
        self._actions = ContainerActions(docker)
        self._docker = docker
        self._leases = ScreenLeases()

    async def create(self, request: web.Request) -> web.Response:
        """Return the bot's computer, made or started when it does not run."""
        body, owner = await json_body(request), _owner(request)
        if (text_field(body, "botId"), text_field(body, "spaceId")) != (owner.bot, owner.space):
            raise refused(400, "computer identity mismatch")
        return web.json_response(await self._life.ensure(owner, text_field(body, "homePath")))

    async def read(self, request: web.Request) -> web.Response:
        """Describe a computer; a screen that is broken or not ready yet is no reason not to."""
        owner = _owner(request)
        found = await self._life.find(request.match_info["id"], owner)
        answer = {
            "id": found["Id"],
            "running": bool(found["State"]["Running"]),
            "image": found["Config"]["Image"],
            "screenUrl": await self._life.place(found, owner),
        }
        return web.json_response(answer)

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a computer."""
        owner = _owner(request)
        await self._life.remove(request.match_info["id"], owner)
        self._leases.end(owner)
        return web.json_response({"ok": True})

    async def stop(self, request: web.Request) -> web.Response:
        """Stop a computer."""
        owner = _owner(request)
        await self._life.stop(await self._life.find(request.match_info["id"], owner))
        self._leases.end(owner)
        return web.json_response({"ok": True})

    async def execute(self, request: web.Request) -> web.Response:
        """Run a command in a computer; one that takes too long is ended in it."""
        found = await self._life.find(request.match_info["id"], _owner(request))
        body = await json_body(request)
        argv, milliseconds = body.get("argv"), body.get("timeoutMs", DEFAULT_COMMAND_MS)
        if not isinstance(argv, list) or not argv or not all(isinstance(word, str) for word in argv):
            raise refused(400, "argv has to be a list of words")
        if not isinstance(milliseconds, int) or milliseconds <= 0:
            raise refused(400, "timeoutMs has to be a whole number of milliseconds")
        seconds = min(milliseconds, LONGEST_COMMAND_MS) / 1000
        told = [f"{name}={value}" for name, value in dict(body.get("env", {})).items()]
        options = {
            "Cmd": ["timeout", "--kill-after=5", f"{seconds:g}s", *argv],
            "WorkingDir": str(body.get("cwd", HOME)),
            "Env": [*environment(), *told],
        }
        done = await self._docker.execute(found["Id"], options)
        errors = done.stderr.decode(errors="replace")
        if done.exit_code == TIMED_OUT:
            errors += f"command timed out after {milliseconds} ms\n"
        answer = {"code": done.exit_code, "stdout": done.stdout.decode(errors="replace"), "stderr": errors}
        return web.json_response(answer)

    async def read_files(self, request: web.Request) -> web.Response:
        """Return a file's content, or what a folder holds."""
        found = await self._life.find(request.match_info["id"], _owner(request))
        path = request.query.get("path", "")
        if request.query.get("mode") != "read":
            return web.json_response(await self._files.listed(found["Id"], path))
        given = request.query.get("maxBytes")
        if given is not None and not given.isdecimal():
            raise refused(400, "invalid maxBytes")
        most = LARGEST_CONTENT if given is None else min(int(given), LARGEST_CONTENT)
        content = await self._files.read(found["Id"], path, most)
        return web.json_response({"content": content})

    async def write_file(self, request: web.Request) -> web.Response:
        """Write a file."""
        found = await self._life.find(request.match_info["id"], _owner(request))
        body = await json_body(request)
        path, content = text_field(body, "path"), body.get("content")
        if not isinstance(content, str) or len(content) > LARGEST:
            raise refused(400, f"content has to be base64 of at most {LARGEST} characters")
        try:
            decoded = base64.b64decode(content, validate=True)
        except ValueError as error:
            raise refused(400, f"content is no base64: {error}") from error
        await self._files.write(found["Id"], path, decoded, executable=bool(body.get("executable", False)))
        return web.json_response({"ok": True})

    async def observe(self, request: web.Request) -> web.Response:
        """Return a picture of a computer's screen."""
        found, _ = await self._screen(request)
        return web.json_response(await self._actions.observe(found["Id"]))

    async def act(self, request: web.Request) -> web.Response:
        """Do several things on a computer's screen, and return a picture unless none is wanted."""
        found, _ = await self._screen(request)
        body = await json_body(request)
        actions = body.get("actions")
        if not isinstance(actions, list) or not all(isinstance(action, dict) for action in actions):
            raise refused(400, "actions has to be a list of objects")
        answer: dict[str, Any] = {"completed": await self._actions.act(found["Id"], actions)}
        if body.get("observe", True):
            answer["observation"] = await self._actions.observe(found["Id"])
        return web.json_response(answer)

    async def input(self, request: web.Request) -> web.Response:
        """Do one thing on a computer's screen, for the person who controls it."""
        found, _ = await self._screen(request)
        await self._actions.act(found["Id"], [dict((await json_body(request)).get("input", {}))])
        return web.json_response({"ok": True})

    async def screen(self, request: web.Request) -> web.Response:
        """Lead to a computer's screen."""
        found, owner = await self._screen(request)
        return web.Response(status=302, headers={"Location": await self._life.screen(found, owner)})

    async def screen_mode(self, request: web.Request) -> web.Response:
        """Let a token control a computer's screen, or nobody."""
        found, owner = await self._screen(request)
        body: dict[str, Any] = await json_body(request)
        interactive, token = body.get("interactive"), body.get("controlToken")
        if not isinstance(interactive, bool):
            raise refused(400, "interactive has to be true or false")
        if interactive:
            if not isinstance(token, str) or not TOKEN.fullmatch(token):
                raise refused(400, "interactive screen requires a control token")
            await self._screens.allow(found["Id"], token)
        elif body.get("revokeControl", True):
            await self._screens.revoke(found["Id"])
        return web.json_response({"screenUrl": await self._life.screen(found, owner, interactive=interactive)})

    async def _screen(self, request: web.Request) -> tuple[dict[str, Any], Owner]:
        """Return the computer whose screen is used, and its owner, for whom the screen is taken."""
        owner = _owner(request)
        found = await self._life.find(request.match_info["id"], owner)
        screen = request.headers.get("X-Rakazo-Screen-Id") or owner.bot
        self._leases.claim(owner, screen, request.headers.get("X-Rakazo-Screen-Lease-Id", ""))
        return found, owner


def add_routes(app: web.Application, routes: SupervisorRoutes) -> None:
    """Add the routes of computers."""
    one = "/computers/{id}"
    app.router.add_post("/computers", routes.create)
    app.router.add_get(one, routes.read)
    app.router.add_delete(one, routes.delete)
    app.router.add_post(one + "/stop", routes.stop)
    app.router.add_post(one + "/exec", routes.execute)
    app.router.add_post(one + "/observe", routes.observe)
    app.router.add_post(one + "/actions", routes.act)
    app.router.add_post(one + "/input", routes.input)
    app.router.add_get(one + "/files", routes.read_files)
    app.router.add_post(one + "/files", routes.write_file)
    app.router.add_get(one + "/screen", routes.screen)
    app.router.add_post(one + "/screen-mode", routes.screen_mode)


def _owner(request: web.Request) -> Owner:
    bot, space = (request.headers.get(f"X-Rakazo-{kind}-Id", "") for kind in ("Bot", "Space"))
    if not bot or not space:
        raise refused(400, "missing computer identity")
    return Owner(bot=bot, space=space)
