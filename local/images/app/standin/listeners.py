"""HTTP listeners of api and web."""

from aiohttp import web

BACKLOG = 128


async def listen(app: web.Application, host: str, port: int) -> web.AppRunner:
    """Serve an application; there is no access log, as upstream has none."""
    runner = web.AppRunner(app, access_log=None, handle_signals=False)
    await runner.setup()
    await web.TCPSite(runner, host, port, backlog=BACKLOG).start()
    return runner


async def stop_accepting(runner: web.AppRunner) -> None:
    """Close the listening sockets and leave open answers alone."""
    for site in list(runner.sites):
        if isinstance(site, web.TCPSite):
            server = site._server  # noqa: SLF001 -- stop() would wait for open streams as well
            if server is not None:
                server.close()
