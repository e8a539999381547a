"""A folder that the scripts take for a machine, with programs of our own in the place of the system's.

What it proves is what a script does with what programs answer; that the programs answer so is the machines' tier's.
"""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from components.machines.file import LIBRARY, File, render_delivery

DANGEROUS = (
    "apt-get",
    "cloud-init",
    "docker",
    "ip",
    "ip6tables",
    "ip6tables-restore",
    "ip6tables-save",
    "ipset",
    "iptables",
    "iptables-restore",
    "iptables-save",
    "journalctl",
    "modprobe",
    "nft",
    "systemctl",
    "systemd-detect-virt",
    "timedatectl",
    "umount",
)
"""Never the host's own: each of them is recorded and does nothing unless a test says otherwise."""
WAITS = ("", "UP_", "START_", "READY_", "APT_", "CLOCK_", "RUNTIME_", "PEERS_")
RECORD = 'echo "${0##*/} $*" >>"$CALLS"\n'


class FakeMachine:
    """One machine below a temporary folder."""

    def __init__(self, folder: Path) -> None:
        """Make an empty machine whose programs all succeed and say nothing."""
        self.patience = 20
        """Seconds for which every wait goes on; 0 where a test waits for the end of one."""
        self.root = folder / "root"
        self.programs = folder / "programs"
        self._calls = folder / "calls"
        self.programs.mkdir(parents=True)
        (self.root / "run/systemd/system").mkdir(parents=True)
        for name in DANGEROUS:
            self.program(name, "")

    def program(self, name: str, text: str) -> None:
        """Put a program in front of the system's; `text` is what it does after it has been recorded."""
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{RECORD}{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def deliver(self, files: Sequence[File], owner: str = "k3s test") -> None:
        """Bring files as the first command of a node does."""
        self.shell(render_delivery(files, owner, str(self.root)), check=True)

    def shell(self, text: str, *, check: bool = False, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a text with the shell that scripts have to be written for."""
        return self._run(["dash", "-c", text], check=check, stdin=stdin)

    def function(self, parts: Sequence[str], call: str) -> subprocess.CompletedProcess[str]:
        """Call a function of the delivered parts."""
        library = f"{self.root}{LIBRARY}"
        read = "\n".join(f'. "{library}/{part}"' for part in parts)
        return self.shell(f"set -eu\n{read}\n{call}\n")

    def step(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a delivered script."""
        return self._run([f"{self.root}{LIBRARY}/{words[0]}", *words[1:]], check=False, stdin=stdin)

    def path(self, place: str) -> Path:
        """Return where something of the machine lies really."""
        return self.root / place.lstrip("/")

    def text(self, place: str) -> str:
        """Return a file of the machine."""
        return self.path(place).read_text(encoding="utf-8")

    def write(self, place: str, text: str) -> Path:
        """Make a file of the machine."""
        path = self.path(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def calls(self, program: str = "") -> list[str]:
        """Every call of a program, in order, with its arguments."""
        lines = self._calls.read_text(encoding="utf-8").splitlines() if self._calls.exists() else []
        return [line for line in lines if line.startswith(program)]

    def forget_calls(self) -> None:
        """Begin a new record."""
        self._calls.write_text("", encoding="utf-8")

    def _run(self, command: Sequence[str], *, check: bool, stdin: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "RAKAZO_ROOT": str(self.root),
            "RAKAZO_PAUSE": "0.05",
            **{f"RAKAZO_{name}PATIENCE": str(self.patience) for name in WAITS},
            "CALLS": str(self._calls),
        }
        return subprocess.run(
            list(command),
            check=check,
            capture_output=True,
            text=True,
            env=environment,
            input=stdin,
            timeout=60,
            umask=0o077,  # as careful administrators have it; what others have to read must not depend on it
        )
