"""A Kubernetes API with pods and exec only: commands run on this machine, a pod's home is a folder."""

import asyncio
import json
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

HOME = "/home/rakazo"


class FakeKubernetes:
    """Pods in a dictionary; records every verb it was asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pods: dict[str, dict[str, Any]] = {}
        self.calls: list[str] = []
        self.refusal: tuple[int, str] | None = None
        self.protocols: tuple[str, ...] = ("v5.channel.k8s.io",)

    def application(self) -> web.Application:
        """Return its routes."""
        app = web.Application()
        pods = "/api/v1/namespaces/{namespace}/pods"
        app.router.add_post(pods, self._create)
        app.router.add_get(pods + "/{name}", self._get)
        app.router.add_delete(pods + "/{name}", self._delete)
        app.router.add_get(pods + "/{name}/exec", self._exec)
        return app

    async def _create(self, request: web.Request) -> web.Response:
        self.calls.append("create pods")
        if self.refusal:
            status, message = self.refusal
            return web.json_response({"kind": "Status", "message": message}, status=status)
        pod = await request.json()
        name = pod["metadata"]["name"]
        if name in self.pods:
            return web.json_response({"message": f'pods "{name}" already exists'}, status=409)
        (self.root / name).mkdir()
        pod["status"] = {
            "phase": "Running",
            "podIP": "127.0.0.1",
            "conditions": [{"type": "Ready", "status": "True"}],
        }
        self.pods[name] = pod
        return web.json_response(pod, status=201)

    async def _get(self, request: web.Request) -> web.Response:
        self.calls.append("get pods")
        pod = self.pods.get(request.match_info["name"])
        return web.json_response(pod or {"message": "not found"}, status=200 if pod else 404)

    async def _delete(self, request: web.Request) -> web.Response:
        self.calls.append("delete pods")
        pod = self.pods.pop(request.match_info["name"], None)
        if pod is not None:
            (self.root / request.match_info["name"]).rename(self.root / f"deleted-{len(self.calls)}")
        return web.json_response(pod or {"message": "not found"}, status=200 if pod else 404)

    async def _exec(self, request: web.Request) -> web.StreamResponse:
        self.calls.append("get pods/exec")
        socket = web.WebSocketResponse(protocols=self.protocols)
        await socket.prepare(request)
        home = str(self.root / request.match_info["name"])
        command = [word.replace(HOME, home) for word in request.query.getall("command")]
        pipe = asyncio.subprocess.PIPE
        try:
            program = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=home)
        except FileNotFoundError as error:
            await self._status(socket, {"status": "Failure", "message": str(error)})
            return socket
        given = await self._stdin(socket) if "stdin" in request.query else b""
        out, errors = await program.communicate(given)
        for start in range(0, len(out), 4096):
            await socket.send_bytes(b"\x01" + out[start : start + 4096])
        await socket.send_bytes(b"\x02" + errors)
        status: dict[str, Any] = {"status": "Success"}
        if program.returncode:
            cause = {"reason": "ExitCode", "message": str(program.returncode)}
            status = {"status": "Failure", "details": {"causes": [cause]}}
        await self._status(socket, status)
        return socket

    async def _stdin(self, socket: web.WebSocketResponse) -> bytes:
        given = b""
        async for message in socket:
            if message.type == WSMsgType.BINARY and message.data == b"\xff\x00":
                break
            given += message.data[1:]
        return given

    async def _status(self, socket: web.WebSocketResponse, status: dict[str, Any]) -> None:
        await socket.send_bytes(b"\x03" + json.dumps(status).encode())
        await socket.close()
