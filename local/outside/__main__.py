"""The outside's program: HTTP and DNS on every address of the plan.

Only the public resolver is one that anybody is told to ask; the others answer so that "blocked" can be seen over UDP.

Run inside the outside machine as `python -m local.outside`.
"""

import asyncio

from aiohttp import web

from local.cluster import addresses
from local.outside import zone
from local.outside.metadata import answer

HTTP_PORT = 80
DNS_PORT = 53


async def _answer(request: web.Request) -> web.Response:
    """Answer by the address that was dialled, which says which kind of place the caller reached."""
    local = request.transport.get_extra_info("sockname")[0] if request.transport else ""
    kind = addresses.LISTENERS.get(local, "gateway")
    return web.Response(text=answer(kind, request.path), headers={"X-Outside-Kind": kind})


async def serve() -> None:
    """Listen until the machine ends."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", _answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "0.0.0.0", HTTP_PORT).start()
    loop = asyncio.get_running_loop()
    # One socket an address: a socket for all of them would answer from the address of the route back.
    for address in addresses.LISTENERS:
        await loop.create_datagram_endpoint(zone.Datagrams, local_addr=(address, DNS_PORT))
    server = await asyncio.start_server(zone.serve_stream, addresses.PUBLIC_DNS, DNS_PORT)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
