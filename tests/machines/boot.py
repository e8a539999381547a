"""The program that boots a machine: a script in the namespaces of the machine's holder, rendered here."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from local.machines.init import STATE

SCRIPT = "/run/boot"
ROOT = "/run/root"
EXIT = "exit"
"""File in the machine's state that holds the exit status of nspawn once it has ended."""
DISK = "disk"
"""Folder in the machine's state with everything that the machine wrote."""
VAR = "var"
REBOOTS = 133
"""Exit status of nspawn when the machine wants to be booted again."""
TOOLS = "/opt/rakazo-tools"
NOT_CAPABLE = ("sys_time", "sys_module")
"""Capabilities that nothing in a machine has: the clock and the modules are the host's."""


@dataclass(frozen=True, kw_only=True)
class Boot:
    """One boot of one machine."""

    name: str
    root: Path
    """What the disk is laid over."""
    members: tuple[Path, ...]
    """The files by which a process joins the machine's control groups."""
    shown: Mapping[str, Path]
    """Path in the machine to a file or folder of the host that is mounted there read-only."""

    def script(self) -> str:
        """Render. Mounts end with the holder's mount namespace, so nothing has to be unmounted."""
        layers = f"lowerdir={self.root},upperdir={STATE}/{DISK}/upper,workdir={STATE}/{DISK}/work"
        lines = [
            "#!/bin/sh",
            f"rm -f {STATE}/{EXIT}",
            *(f"echo 0 > {shlex.quote(str(path))} || exit 1" for path in self.members),
            f"mkdir -p {ROOT}",
            f"mount -t overlay overlay -o {shlex.quote(layers)} {ROOT} || exit 1",
            # Only what estate.service opens may be written: the kernel is the host's.
            "export SYSTEMD_NSPAWN_API_VFS_WRITABLE=no",
            shlex.join(self.command()),
            f"echo $? > {STATE}/{EXIT}",
        ]
        return "\n".join(lines) + "\n"

    def command(self) -> list[str]:
        """Return nspawn's command line."""
        return [
            "systemd-nspawn",
            "--boot",
            f"--directory={ROOT}",
            f"--machine={self.name}",
            # There is no systemd on the host that could be asked.
            "--register=no",
            "--keep-unit",
            # The holder's own: the links are in it already.
            "--network-namespace-path=/proc/1/ns/net",
            "--capability=all",
            "--drop-capability=" + ",".join(f"CAP_{name.upper()}" for name in NOT_CAPABLE),
            # runc needs keyctl.
            "--system-call-filter=add_key keyctl bpf",
            "--link-journal=no",
            "--resolv-conf=off",
            "--timezone=off",
            # kubelet watches it.
            "--bind=/dev/kmsg",
            # A folder of the host's file system and not an overlay: containers' own overlays can be on it.
            f"--bind={STATE}/{DISK}/{VAR}:/var",
            *_shown(self.shown),
        ]


def _shown(paths: Mapping[str, Path]) -> Iterable[str]:
    return (f"--bind-ro={source}:{target}" for target, source in paths.items())
