"""Folders of the machine that every computer is given: SANDBOX_COMPUTER_MOUNTS."""

from dataclasses import dataclass
from typing import Any

from .environment import Environment

NAME = "SANDBOX_COMPUTER_MOUNTS"
FORM = "write <folder of the machine>:<folder in the computer>, with :rw behind it if bots may write"
PARTS = (2, 3)
SYSTEM = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys", "/usr", "/var")
"""What belongs to the machine or, in the computer, to its image; nothing at or below it is mounted."""


@dataclass(frozen=True)
class HostFolder:
    """One folder; the computer only reads it unless it is said to be writable."""

    source: str
    target: str
    read_only: bool

    def mount(self) -> dict[str, Any]:
        """Return Docker's mount, which fails when the folder is not there instead of making it."""
        return {"Type": "bind", "Source": self.source, "Target": self.target, "ReadOnly": self.read_only}


def read_mounts(env: Environment) -> tuple[HostFolder, ...]:
    """Read the comma-separated list; a folder that must not be shared keeps the supervisor from starting."""
    entries = [entry.strip() for entry in env.optional(NAME).split(",") if entry.strip()]
    return tuple(folder for entry in entries if (folder := _folder(env, entry)) is not None)


def _folder(env: Environment, entry: str) -> HostFolder | None:
    parts = entry.split(":")
    mode = parts[2] if len(parts) > PARTS[0] else "ro"
    if len(parts) not in PARTS or mode not in {"ro", "rw"}:
        env.problem(NAME, f"has {entry!r}; {FORM}")
        return None
    for path in parts[:2]:
        if not path.startswith("/") or any(part in {"", ".", ".."} for part in path[1:].split("/")):
            env.problem(NAME, f"has {path!r}, no absolute path of a folder; {FORM}")
            return None
        if any(path == system or path.startswith(f"{system}/") for system in SYSTEM):
            env.problem(NAME, f"has {path!r}, which belongs to the system; {FORM}")
            return None
    return HostFolder(parts[0], parts[1], read_only=mode == "ro")
