"""The entrance's program: `python -m local.entrance <descriptor of the API's socket> <descriptor of the door's>`."""

import asyncio
import socket
import sys

from aiohttp import web

from local.cluster import addresses
from local.entrance.door import Door, Targets
from local.entrance.tunnel import Tunnel

BACKLOG = 128


async def serve(api: socket.socket, door: socket.socket) -> None:
    """Serve both sockets until the machine ends."""
    node = addresses.SYSTEM.address
    targets = Targets(web=f"{node}:{addresses.WEB_NODE_PORT}", api=f"{node}:{addresses.API_NODE_PORT}")
    runner = web.AppRunner(Door(targets).application(), access_log=None)
    await runner.setup()
    await web.SockSite(runner, door, backlog=BACKLOG).start()
    tunnel = Tunnel(node, addresses.API_PORT)
    server = await asyncio.start_server(tunnel.serve, sock=api, backlog=BACKLOG)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1])), socket.socket(fileno=int(sys.argv[2]))))
