"""What `node` means in this image: five commands, each in its folder, and nothing else."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from . import process

START = ("--import", "tsx", "src/index.ts")
PREVIEW = ("node_modules/vite/bin/vite.js", "preview", "--host", "0.0.0.0", "--port", "5173")
MIGRATE = ("node_modules/prisma/build/index.js", "migrate", "deploy")
COMMANDS = {
    ("/app/apps/api", START): "api",
    ("/app/apps/worker", START): "worker",
    ("/app/apps/web", PREVIEW): "web",
    ("/app/packages/db", MIGRATE): "migrate",
    ("/app/infra/sandboxes/supervisor", START): "supervisor",
}


def service_of(folder: str, arguments: tuple[str, ...]) -> str | None:
    """Return the service that a command starts in a folder, or None."""
    return COMMANDS.get((folder, arguments))


def main() -> int:
    """Start the service that this process's arguments and folder name; return its exit code."""
    service = service_of(str(Path.cwd()), tuple(sys.argv[1:]))
    if service is None:
        sys.stderr.write(_unknown() + "\n")
        return process.REFUSED
    return process.run(service, _main_of(service))


def _main_of(service: str) -> Callable[[asyncio.Event], Coroutine[Any, Any, int]]:
    """Import only what the service needs: web is in memory without a database driver."""
    if service == "api":
        from . import api

        return api.main
    if service == "worker":
        from . import worker

        return worker.main
    if service == "web":
        from . import web_service

        return web_service.main
    if service == "supervisor":
        from . import supervisor

        return supervisor.main
    return _migrate


async def _migrate(stop: asyncio.Event) -> int:
    from . import migrate, settings

    try:
        await process.until(stop, migrate.migrate(settings.read_migrate(os.environ)))
    except process.StoppedError:
        return process.TERMINATED
    return 0


def _unknown() -> str:
    lines = ["This is the Rakazo stand-in, not Node.js. It knows these commands only:"]
    lines += [f"  cd {folder} && node {' '.join(words)}" for folder, words in COMMANDS]
    lines.append(f"Not in {Path.cwd()}: node {' '.join(sys.argv[1:])}")
    return "\n".join(lines)
