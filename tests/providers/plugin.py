"""A stand-in as a plugin of its own, `python -m tests.providers.plugin PACKAGE … ENGINE`, as the CLI starts them.

Each command starts a process for each provider, so only packages that remember nothing can be tested this way. It
proves that nothing depends on being attached.
"""

import signal
import stat
import sys
import threading
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from local.checkout import PROJECT
from tests.providers.command import CommandPackage
from tests.providers.package import Package
from tests.providers.server import ProviderServer
from tests.providers.tls import TlsPackage

PACKAGES: dict[str, Callable[[], Package]] = {"tls": TlsPackage, "command": CommandPackage}


def install(home: Path) -> None:
    """Lay the stand-ins out below a `PULUMI_HOME` in the versions that the installed SDKs ask for."""
    for name in PACKAGES:
        folder = home / "plugins" / f"resource-{name}-v{metadata.version(f'pulumi-{name}')}"
        folder.mkdir(parents=True)
        launcher = folder / f"pulumi-resource-{name}"
        launcher.write_text(
            f'#!/bin/sh\nPYTHONPATH="{PROJECT}" exec "{sys.executable}" -m tests.providers.plugin {name} "$@"\n',
            encoding="utf-8",
        )
        launcher.chmod(launcher.stat().st_mode | stat.S_IXUSR)


def main() -> None:
    """Serve one package until the CLI ends this process; the port is the first line, the engine the last argument."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ended.set())
    with ProviderServer([PACKAGES[sys.argv[1]]()]) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        ended.wait()


if __name__ == "__main__":
    main()
