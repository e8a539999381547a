"""The commands of k3s, by the name under which the file is called or by the first argument."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from tests.k3s.program import journal
from tests.k3s.program.paths import CONTAINERD_SOCKET, CTR, KUBECONFIG, TOOLS
from tests.k3s.program.refusal import Refusal

LINKS = ("kubectl", "crictl", "ctr")
"""Names under which the file is linked and that are a command then."""
MODULES = {
    "crictl": "crictl",
    "etcd-snapshot": "snapshot",
    "secrets-encrypt": "secrets_command",
    "token": "token_command",
}
"""Command to the module that runs it, imported only then: `k3s kubectl` is called often."""


def main() -> int:
    """Run one command and return its exit status."""
    name, arguments = Path(sys.argv[0]).name, sys.argv[1:]
    if name in LINKS:
        arguments = [name, *arguments]
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    try:
        if command in ("server", "agent"):
            asyncio.run(_serve(command, rest))
        else:
            _command(command)(rest)
    except Refusal as refusal:
        journal.fatal(str(refusal))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _command(command: str) -> Callable[[Sequence[str]], None]:
    """Return what runs a command."""
    at_once = {"--version": _version, "-v": _version, "kubectl": _kubectl, "ctr": _ctr}
    if command in at_once:
        return at_once[command]
    if command in MODULES:
        run: Callable[[Sequence[str]], None] = import_module(f"{__package__}.{MODULES[command]}").run
        return run
    known = ", ".join(("server", "agent", *at_once, *MODULES))
    raise Refusal(f"No help topic for {command!r}: the stand-in for k3s knows {known}")


def _version(_: Sequence[str]) -> None:
    from tests.k3s.program.release import built_in

    print(f"k3s version {built_in()} (standin0)\ngo version go1.26.4")


def _kubectl(arguments: Sequence[str]) -> NoReturn:
    environment = {"KUBECONFIG": str(KUBECONFIG), **os.environ}
    _become(f"{TOOLS}/kubectl", ["kubectl", *arguments], environment)


def _ctr(arguments: Sequence[str]) -> NoReturn:
    place = {"CONTAINERD_ADDRESS": str(CONTAINERD_SOCKET), "CONTAINERD_NAMESPACE": "k8s.io"}
    _become(CTR, ["ctr", *arguments], {**place, **os.environ})


def _become(program: str, arguments: Sequence[str], environment: dict[str, str]) -> NoReturn:
    try:
        os.execvpe(program, list(arguments), environment)  # noqa: S606 - no shell is wanted
    except OSError as error:
        raise Refusal(f"{program}: {error.strerror}") from error


async def _serve(command: str, arguments: Sequence[str]) -> NoReturn:
    """Be a server or an agent until told to end, or until it cannot go on; Refusal when it cannot begin."""
    from tests.k3s.program import agent, configuration, server
    from tests.k3s.program.children import Children
    from tests.k3s.program.release import built_in

    values = configuration.load(command, arguments, os.environ)
    journal.info(f"Starting k3s {command} {built_in()}")
    children = Children()
    told = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, told.set)
    work = children.background((server if command == "server" else agent).serve(values, children))
    ending = asyncio.create_task(told.wait())
    await asyncio.wait([work, ending, children.failed], return_when=asyncio.FIRST_COMPLETED)
    # A reset is done at some time, everything else goes on until it is told to end.
    well = told.is_set() or (work.done() and work.exception() is None)
    if not well:
        journal.fatal(children.failed.result() if children.failed.done() else str(work.exception()))
    await children.end()
    # Threads that wait for something would be waited for otherwise.
    os._exit(0 if well else 1)
