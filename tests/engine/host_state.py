"""What an embedded cluster could leave on the machine, as one comparable value."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from local.machines.blueprint import SETTINGS

FOLDERS = ("/etc", "/opt", "/run", "/srv", "/usr/local", "/var/lib", "/var/log")
# Written by the image builder and by apt, whose business a cluster is not.
NOT_OURS = ("/var/lib/containers", "/var/lib/apt", "/var/lib/dpkg", "/run/containers")
SYSCTLS = (*SETTINGS, "net/ipv4/ip_forward", "net/netfilter/nf_conntrack_max", "fs/inotify/max_user_instances")


def _files() -> frozenset[tuple[str, int]]:
    found = set()
    for top in FOLDERS:
        for path, folders, files in os.walk(top):
            folders[:] = [name for name in folders if os.path.join(path, name) not in NOT_OURS]  # noqa: PTH118
            for name in (*folders, *files):
                entry = Path(path, name)
                is_folder = entry.is_dir() and not entry.is_symlink()
                found.add((str(entry), 0 if is_folder else entry.lstat().st_mtime_ns))
    return frozenset(found)


def _rules() -> str:
    """Return the host's firewall without the counters and the time in the comments."""
    text = subprocess.run(["iptables-save"], capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))


def processes_of(folder: Path, group: str) -> list[int]:
    """Return the processes that see the cluster's folder in their mounts or are in its control group."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            text = (entry / "mountinfo").read_text() + (entry / "cgroup").read_text()
            text += (entry / "cmdline").read_text()
        except OSError:
            continue  # it has ended meanwhile
        if str(folder) in text or group in text:
            found.append(int(entry.name))
    return found


@dataclass(frozen=True)
class HostState:
    """Links, mounts, routes, firewall, kernel settings, control groups, named namespaces and system files."""

    links: frozenset[str]
    mounts: str
    routes: str
    rules: str
    settings: tuple[str, ...]
    groups: frozenset[str]
    files: frozenset[tuple[str, int]]

    @classmethod
    def now(cls) -> "HostState":
        return cls(
            links=frozenset(path.name for path in Path("/sys/class/net").iterdir()),
            mounts=Path("/proc/self/mounts").read_text(),
            routes=Path("/proc/net/route").read_text(),
            rules=_rules(),
            settings=tuple(
                Path(f"/proc/sys/{name}").read_text() for name in SYSCTLS if Path(f"/proc/sys/{name}").exists()
            ),
            groups=frozenset(str(path) for path in Path("/sys/fs/cgroup").glob("*/*/") if path.is_dir()),
            files=_files(),
        )
