"""The outside's program: HTTP and DNS on every address of the plan.

Only the public resolver is one that anybody is told to ask; the others answer so that "blocked" can be seen over UDP.

Run inside the outside machine as `python -m local.outside`, with `--dual-stack` on IPv6 addresses too.
"""

import asyncio
import sys

from aiohttp import web

from local.cluster import family
from local.cluster.family import HTTP_PORT, Families
from local.outside.metadata import answer
from local.outside.zone import Datagrams, Zone

HTTPS_PORT = 443
DNS_PORT = 53
EVERY_ADDRESS = {4: "0.0.0.0", 6: "::"}


KINDS = {address: kind for each in family.DUAL_STACK for address, kind in each.listeners.items()}


async def _answer(request: web.Request) -> web.Response:
    """Answer by the address that was dialled, which says which kind of place the caller reached."""
    local = request.transport.get_extra_info("sockname")[0] if request.transport else ""
    kind = KINDS.get(local, "gateway")
    return web.Response(text=answer(kind, request.path), headers={"X-Outside-Kind": kind})


async def serve(families: Families) -> None:
    """Listen until the machine ends."""
    zone = Zone(families)
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", _answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    loop = asyncio.get_running_loop()
    for each in families:
        await web.TCPSite(runner, EVERY_ADDRESS[each.version], HTTP_PORT).start()
        # Without TLS: what is looked at is whether a connection comes about.
        await web.TCPSite(runner, each.public_web, HTTPS_PORT).start()
        # One socket an address: a socket for all of them would answer from the address of the route back.
        for address in each.listeners:
            await loop.create_datagram_endpoint(lambda: Datagrams(zone), local_addr=(address, DNS_PORT))
    server = await asyncio.start_server(zone.serve_stream, [each.public_dns for each in families], DNS_PORT)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(family.of_cluster(dual_stack="--dual-stack" in sys.argv[1:])))
