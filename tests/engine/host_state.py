"""What an embedded cluster could leave on the machine, as one comparable value."""

import os
import subprocess
import time
from dataclasses import dataclass, fields
from fnmatch import fnmatch
from pathlib import Path

from local.cluster import ClusterFolder
from local.machines import control_groups
from local.machines.blueprint import SETTINGS

FOLDERS = ("/etc", "/opt", "/run", "/srv", "/usr/local", "/var/lib", "/var/log")
# Written by the image builder and by apt, whose business a cluster is not.
NOT_OURS = ("/var/lib/containers", "/var/lib/apt", "/var/lib/dpkg", "/run/containers")
TEMPORARY = ("/tmp", "/var/tmp")
# pytest's own folders, and Go's while somebody else builds.
NOT_OURS_TEMPORARY = ("pytest-of-*", "go-build*")
# Caches that the README names, and what Go keeps about itself.
NOT_OURS_AT_HOME = (".cache", "go", ".config/go")
DEPTH_AT_HOME = 3
# Clusters of other checkouts come and go beside the one that is tested; its own group is looked for by `remains_of`.
CLUSTERS = "rakazo-"
SYSCTLS = (
    *SETTINGS,
    "net/ipv4/ip_forward",
    "net/ipv6/conf/all/forwarding",
    "net/netfilter/nf_conntrack_max",
    "fs/inotify/max_user_instances",
)
IPV6_ROUTES = Path("/proc/net/ipv6_route")


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


def _temporary() -> frozenset[str]:
    return frozenset(
        str(entry)
        for top in TEMPORARY
        for entry in Path(top).iterdir()
        if not any(fnmatch(entry.name, pattern) for pattern in NOT_OURS_TEMPORARY)
    )


def _at_home() -> frozenset[tuple[str, int]]:
    """Return names and times down to a depth: a folder's time tells that something was made in it."""
    home, found = Path.home(), set()
    for path, folders, files in os.walk(home):
        here = Path(path).relative_to(home)
        folders[:] = [name for name in folders if str(here / name) not in NOT_OURS_AT_HOME]
        for name in (*folders, *files):
            found.add((str(here / name), Path(path, name).lstat().st_mtime_ns))
        if len(here.parts) + 1 == DEPTH_AT_HOME:
            folders.clear()
    return frozenset(found)


def _network_namespaces() -> frozenset[int]:
    """Return the network namespaces in which a process lives that is in no cluster's control group."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"/{CLUSTERS}" not in (entry / "cgroup").read_text():
                found.add((entry / "ns" / "net").stat().st_ino)
        except OSError:
            continue  # it has ended meanwhile
    return frozenset(found)


def _groups() -> frozenset[str]:
    """Return the control groups of the first two levels: version 2 has clusters' at the first, version 1 below it."""
    top = Path("/sys/fs/cgroup")
    found = (path for pattern in ("*/", "*/*/") for path in top.glob(pattern) if path.is_dir())
    return frozenset(str(path) for path in found if f"/{CLUSTERS}" not in str(path))


def _rules() -> str:
    """Return the host's firewall of both families without the counters and the time in the comments."""
    lines = []
    for program in ("iptables-save", "ip6tables-save"):
        lines += subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


def _routes() -> str:
    """Return the host's routes of both families; of IPv6 without how often each is used."""
    text = Path("/proc/net/route").read_text()
    if IPV6_ROUTES.exists():
        columns = (line.split() for line in IPV6_ROUTES.read_text().splitlines())
        text += "\n".join(" ".join((*each[:6], each[-1])) for each in columns)
    return text


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


def remains_of(folder: ClusterFolder) -> list[str]:
    """Return what is left of one cluster: its processes, control groups and files."""
    found = [f"process {pid}" for pid in processes_of(folder.path, folder.group)]
    found += [str(path) for path in control_groups.existing(folder.group)]
    return found + ([str(folder.path)] if folder.known else [])


@dataclass(frozen=True)
class HostState:
    """Everything of a machine that a cluster could leave something in."""

    links: frozenset[str]
    mounts: str
    routes: str
    rules: str
    settings: tuple[str, ...]
    groups: frozenset[str]
    files: frozenset[tuple[str, int]]
    at_home: frozenset[tuple[str, int]]
    temporary: frozenset[str]
    namespaces: frozenset[int]

    @classmethod
    def now(cls) -> "HostState":
        return cls(
            links=frozenset(path.name for path in Path("/sys/class/net").iterdir()),
            mounts=Path("/proc/self/mounts").read_text(),
            routes=_routes(),
            rules=_rules(),
            settings=tuple(
                Path(f"/proc/sys/{name}").read_text() for name in SYSCTLS if Path(f"/proc/sys/{name}").exists()
            ),
            groups=_groups(),
            files=_files(),
            at_home=_at_home(),
            temporary=_temporary(),
            namespaces=_network_namespaces(),
        )

    def left_since(self, before: "HostState") -> dict[str, object]:
        """Return what is different from before, by kind; of namespaces and temporary files only what came."""
        return {
            field.name: found
            for field in fields(self)
            if (found := _difference(field.name, getattr(before, field.name), getattr(self, field.name)))
        }

    @classmethod
    def lasting_since(cls, before: "HostState") -> dict[str, object]:
        """Return what still differs once other programs had time to end what they had only for a moment."""
        deadline = time.monotonic() + LASTING_SECONDS
        while (found := cls.now().left_since(before)) and time.monotonic() < deadline:
            time.sleep(0.5)  # the poll's interval
        return found


LASTING_SECONDS = 30.0
COMES_AND_GOES = ("namespaces", "temporary")
"""Other programs end what they had; that something new stays is what is looked for."""


def _difference(name: str, before: object, after: object) -> object:
    if isinstance(before, frozenset) and isinstance(after, frozenset):
        return sorted(after - before if name in COMES_AND_GOES else after ^ before)
    return None if before == after else {"before": before, "after": after}
