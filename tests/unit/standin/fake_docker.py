"""A Docker on a socket with the few calls of a supervisor: commands run on this machine, a home is a folder of it.

It speaks HTTP by hand, since the streams of a command take the connection over.
"""

import asyncio
import contextlib
import json
import struct
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

HOME, TOKENS = "/home/rakazo", "/tmp/rakazo/screen-tokens"
OWN = "5a6b7c8d9e0f" + "0" * 52
WEB = "b" * 64
Answer = tuple[int, Any]


class FakeDocker:
    """Containers and networks in dictionaries; records every call that changes something."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.api = "1.45"
        self.images = {"id-1"}
        self.image = "id-1"
        self.data_mount: dict[str, Any] = {"Destination": "/data", "Type": "bind", "Source": "/srv/rakazo/data"}
        self.containers: dict[str, dict[str, Any]] = {}
        self.networks: dict[str, dict[str, Any]] = {}
        self.calls: list[str] = []
        self.egress = (0, "")
        """Exit status and words of whoever looks whether rules are there."""
        self._executions: dict[str, dict[str, Any]] = {}
        self._made = 0
        for identifier, service in ((OWN, "supervisor"), (WEB, "web")):
            labels = {"com.docker.compose.project": "rakazo", "com.docker.compose.service": service}
            self.containers[identifier] = self._container(identifier, service, {"Labels": labels, "HostConfig": {}})

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Serve on a socket and yield its path."""
        path = str(self.root / "docker.sock")
        server = await asyncio.start_unix_server(self._serve, path)
        async with server:
            yield path

    def computer(self, name: str = "rakazo-bot-b1") -> dict[str, Any]:
        """Return the container of this name, or an empty one."""
        return next((each for each in self.containers.values() if each["Name"] == f"/{name}"), {})

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, target, _ = head[0].split(" ")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            parts = urlsplit(target)
            path = unquote(parts.path).removeprefix("/v1.45")
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if path.startswith("/exec/") and path.endswith("/start"):
                await self._execute(self._executions[path.split("/")[2]], reader, writer)
            else:
                status, answer = self._answer(method, path, query, json.loads(body or b"{}"))
                content = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
                length = f"HTTP/1.1 {status} x\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
                writer.write((length.encode() + content) if status != 204 else b"HTTP/1.1 204 x\r\n\r\n")
            await writer.drain()
        finally:
            writer.close()

    def _answer(self, method: str, path: str, query: dict[str, str], body: dict[str, Any]) -> Answer:
        if method != "GET":
            self.calls.append(f"{method} {path}")
        kind, _, rest = path.lstrip("/").partition("/")
        if kind == "version":
            return 200, {"ApiVersion": self.api, "Version": "25.0.0"}
        if kind == "images":
            return (200, {"Id": self.image}) if self.image in self.images else (404, {"message": "no such image"})
        if kind == "exec":
            return 200, {"ExitCode": self._executions[rest.split("/")[0]]["status"]}
        name, _, verb = rest.partition("/")
        return self._network(method, name, verb, body) if kind == "networks" else self._on(name, verb, query, body)

    def _network(self, method: str, name: str, verb: str, body: dict[str, Any]) -> Answer:
        if name == "create":
            body["Id"] = f"network-{len(self.calls)}"
            self.networks[body["Name"]] = body | {"Containers": {}, "IPAM": {"Config": [{"Gateway": "172.31.0.1"}]}}
            return 201, {"Id": body["Id"]}
        found = next((each for each in self.networks.values() if name in (each["Id"], each["Name"])), None)
        if found is None:
            return 404, {"message": "network not found"}
        if verb == "connect":
            found["Containers"][body["Container"]] = {}
        elif verb == "disconnect":
            found["Containers"].pop(body["Container"], None)
        elif method == "DELETE":
            del self.networks[found["Name"]]
        return (200, found) if method == "GET" else (200, {})

    def _on(self, name: str, verb: str, query: dict[str, str], body: dict[str, Any]) -> Answer:
        if name == "create":
            self._made += 1
            identifier = f"{self._made:064x}"
            self.containers[identifier] = self._container(identifier, query["name"], body)
            return 201, {"Id": identifier}
        if name == "json":
            wanted = {tuple(label.split("=", 1)) for label in json.loads(query["filters"])["label"]}
            found = [each for each in self.containers.values() if wanted <= each["Config"]["Labels"].items()]
            return 200, [{"Id": each["Id"], "State": "running"} for each in found]
        known = [each for each in self.containers.values() if each["Id"].startswith(name) or each["Name"] == f"/{name}"]
        if not known:
            return 404, {"message": f"No such container: {name}"}
        return self._one(known[0], verb, body)

    def _one(self, found: dict[str, Any], verb: str, body: dict[str, Any]) -> Answer:
        if verb == "json":
            return 200, found
        if verb in ("start", "stop"):
            found["State"]["Running"] = verb == "start"
            return 204, ""
        if verb == "wait":
            return 200, {"StatusCode": self.egress[0]}
        if verb == "logs":
            return 200, self.egress[1]
        if verb == "exec":
            identifier = f"exec-{len(self._executions)}"
            self._executions[identifier] = {"command": body["Cmd"], "status": None, "stdin": body["AttachStdin"]}
            return 201, {"Id": identifier}
        del self.containers[found["Id"]]
        return 204, ""

    def _container(self, identifier: str, name: str, options: dict[str, Any]) -> dict[str, Any]:
        network = options["HostConfig"].get("NetworkMode", "")
        joined = {"IPAddress": "127.0.0.1", "NetworkID": self.networks.get(network, {}).get("Id", "")}
        return {
            "Id": identifier,
            "Name": f"/{name}",
            "Image": self.image,
            "Config": {key: value for key, value in options.items() if key != "HostConfig"},
            "HostConfig": options["HostConfig"],
            "Mounts": [self.data_mount],
            "State": {"Running": False, "Status": "exited", "ExitCode": 1, "OOMKilled": False},
            "NetworkSettings": {"Networks": {network: joined}},
        }

    async def _execute(
        self, execution: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(b"HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
        home, tokens = str(self.root / "home"), str(self.root / "screen-tokens")
        command = [word.replace(HOME, home).replace(TOKENS, tokens) for word in execution["command"]]
        if command[0] == "python3":
            command[0] = sys.executable
        pipe = asyncio.subprocess.PIPE
        program = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=self.root)
        out, errors = await program.communicate(await reader.read() if execution["stdin"] else b"")
        execution["status"] = program.returncode
        for stream, content in ((1, out), (2, errors)):
            for start in range(0, len(content), 4096):
                frame = content[start : start + 4096]
                writer.write(struct.pack(">BxxxL", stream, len(frame)) + frame)
