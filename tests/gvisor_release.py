"""A release of gVisor as it is published: one tarball, with `gvisor-bin` beside `runsc`, of the programs of tools/."""

import io
import tarfile
from pathlib import Path

from rich.console import Console

from local import toolchain
from local.cache import Slot, images_root

FORMAT = "1"
PROGRAMS = ("runsc", "containerd-shim-runsc-v1")
SIDECARS = "gvisor-bin"
"""The folder of what a published runsc starts; the one of tools/ holds all of it itself."""
NAME = "gvisor.tar.bz2"


def gvisor_tarball(console: Console) -> Path:
    """Return the tarball; packing it takes seconds, once. ToolchainError: a program of tools/ cannot be built."""
    tools = toolchain.ensure(console)
    slot = Slot.of(images_root() / "gvisor-release", (FORMAT, str(tools)))

    def make(workspace: Path) -> Path:
        with tarfile.open(workspace / NAME, "w:bz2") as archive:
            for name in PROGRAMS:
                archive.add((tools / name).resolve(), name, filter=_executable)
            text = b"A stand-in: runsc of this tarball needs no other program.\n"
            note = tarfile.TarInfo(f"{SIDECARS}/README")
            note.size, note.mode = len(text), 0o644
            archive.addfile(note, io.BytesIO(text))
        return workspace

    return slot.ensure(make) / NAME


def _executable(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mode, entry.uid, entry.gid, entry.uname, entry.gname = 0o755, 0, 0, "", ""
    return entry
