"""For tests: computers over HTTP."""

from typing import Any

from aiohttp import web

from .computers import Computer, Computers, NoComputerError
from .provider import ComputerError
from .requests import command_field, json_body, refused, text_field
from .workspaces import PathRefusedError, relative


class ComputerRoutes:
    """`/api/computers…`."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers

    async def create(self, request: web.Request) -> web.Response:
        """Return the bot's computer, made when there is none, and what this process reaches of it."""
        body = await json_body(request)
        computer = await self._computers.ensure(text_field(body, "bot"))
        answer = _description(computer) | {"restored": computer.restored}
        if body.get("dial", True):
            answer["dialled"] = await self._computers.dial(computer)
        return web.json_response(answer, status=201)

    async def read(self, request: web.Request) -> web.Response:
        """Return a running computer."""
        return web.json_response(_description(await self._find(request)))

    async def delete(self, request: web.Request) -> web.Response:
        """Save the computer's home and remove the computer."""
        name = request.match_info["name"]
        try:
            saved = await self._computers.remove(name)
        except NoComputerError as error:
            raise refused(404, str(error)) from error
        return web.json_response({"name": name, "state": "stopped", "savedFiles": saved})

    async def execute(self, request: web.Request) -> web.Response:
        """Run a command in the computer."""
        computer, body = await self._find(request), await json_body(request)
        done = await self._computers.execute(computer.name, command_field(body))
        return web.json_response(
            {
                "exitCode": done.exit_code,
                "stdout": done.stdout.decode(errors="replace"),
                "stderr": done.stderr.decode(errors="replace"),
            }
        )

    async def write_file(self, request: web.Request) -> web.Response:
        """Write a file below the computer's home."""
        computer, path = await self._find(request), _path(request)
        try:
            await self._computers.provider.write(computer.name, path, await request.read())
        except ComputerError as error:
            raise refused(409, str(error)) from error
        return web.json_response({"path": path})

    async def read_file(self, request: web.Request) -> web.Response:
        """Return a file below the computer's home."""
        computer, path = await self._find(request), _path(request)
        try:
            content = await self._computers.provider.read(computer.name, path)
        except FileNotFoundError as error:
            raise refused(404, f"{path}: {error}") from error
        return web.Response(body=content, content_type="application/octet-stream")

    async def _find(self, request: web.Request) -> Computer:
        try:
            return await self._computers.find(request.match_info["name"])
        except NoComputerError as error:
            raise refused(404, str(error)) from error


def add_routes(app: web.Application, computers: Computers) -> None:
    """Add the computers' routes."""
    routes = ComputerRoutes(computers)
    one = "/api/computers/{name}"
    app.router.add_post("/api/computers", routes.create)
    app.router.add_get(one, routes.read)
    app.router.add_delete(one, routes.delete)
    app.router.add_post(one + "/exec", routes.execute)
    app.router.add_put(one + "/files/{path:.+}", routes.write_file)
    app.router.add_get(one + "/files/{path:.+}", routes.read_file)


def _path(request: web.Request) -> str:
    try:
        return relative(request.match_info["path"])
    except PathRefusedError as error:
        raise refused(400, str(error)) from error


def _description(computer: Computer) -> dict[str, Any]:
    place = computer.place
    return {
        "name": computer.name,
        "bot": computer.bot,
        "state": "running",
        "generation": computer.generation,
        "ip": place.address,
        "node": place.node,
        "runtimeClass": place.runtime_class,
        "image": place.image,
        "phase": place.phase,
    }
