"""What an estate could leave on the host, and a host on which no estate has left anything."""

from pathlib import Path

from rich.console import Console

from local import toolchain
from local.machines import control_groups
from tests.engine.host_state import HostState, processes_of
from tests.machines import root
from tests.machines.estate import Estate

CONSOLE = Console(stderr=True)


def host_before(*folders: Path) -> HostState:
    """Build and install what estates need, end what killed sessions left in the folders, and look at the host."""
    root.ensure(CONSOLE)
    toolchain.ensure(CONSOLE)
    for folder in folders:
        Estate(folder).end()
    return HostState.now()


def remains_of(estate: Estate) -> list[object]:
    """Return what is left of an estate: its processes, control groups and files."""
    found = [*processes_of(estate.folder, estate.group), *control_groups.existing(estate.group)]
    return found + ([estate.folder] if estate.folder.exists() else [])
