"""An agent's way to the API: a port of its own that leads to any server of the cluster, as k3s has it."""

import asyncio
import contextlib
import json
from collections.abc import Iterable
from pathlib import Path

from tests.k3s.program.paths import write
from tests.k3s.program.relay import relay

CONNECT_SECONDS = 3.0


class Balancer:
    """Passes connections on as they are; TLS is between the caller and the server."""

    def __init__(self, record: Path, first: str) -> None:
        """Know the server that the agent was told (host:port) and those that an earlier run has noted."""
        self._record = record
        self._servers = [first]
        with contextlib.suppress(OSError, ValueError):
            self.learn(json.loads(record.read_text(encoding="utf-8"))["ServerAddresses"])

    def learn(self, servers: Iterable[str]) -> None:
        """Note which servers there are; those that are gone are forgotten, the one that answers stays first."""
        named = list(dict.fromkeys(servers))
        if not named or set(named) == set(self._servers):
            return
        kept = [server for server in self._servers if server in named]
        self._servers = [*kept, *(server for server in named if server not in kept)]
        write(self._record, json.dumps({"ServerURL": f"https://{self._servers[0]}", "ServerAddresses": self._servers}))

    async def listen(self, port: int) -> asyncio.Server:
        """Begin to listen on the machine itself; OSError when the port is taken."""
        return await asyncio.start_server(self._serve, "127.0.0.1", port)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError):
                await self._pass_on(reader, writer)
        finally:
            writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for server in list(self._servers):
            host, _, port = server.rpartition(":")
            try:
                far = await asyncio.wait_for(asyncio.open_connection(host, int(port)), CONNECT_SECONDS)
            except (OSError, TimeoutError):
                # The next one is tried first from now on.
                if self._servers[0] == server:
                    self._servers = [*self._servers[1:], server]
                continue
            await relay((reader, writer), far)
            return
