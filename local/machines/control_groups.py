"""The control groups of a cluster: the one thing besides files that outlives its processes.

Every node has its own group below the cluster's, or the kubelets would delete each other's pods. On version 1 the
directory is made in every hierarchy; on version 2 there is one tree, whose controllers must be handed down.
"""

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from local.failure import LocalError

ROOT = Path("/sys/fs/cgroup")
NEEDED = ("cpu", "cpuset", "memory", "pids")
DELEGATED = (*NEEDED, "io", "hugetlb")


def mount_points(root: Path = ROOT) -> list[Path]:
    """Return every place where a group of ours can be: container runtimes use the unified tree of a hybrid host too."""
    if (root / "cgroup.controllers").exists():
        return [root]
    return [path for path in sorted(root.iterdir()) if (path / "cgroup.procs").exists() and not path.is_symlink()]


def hierarchies(root: Path = ROOT) -> list[Path]:
    """Return where a node needs its group made: one directory per version 1 controller, or the version 2 root."""
    found = mount_points(root)
    if found == [root]:
        return found
    names = {name for path in found for name in path.name.split(",")}
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise LocalError(
            f"control groups: no {', '.join(missing)} hierarchy below {root}; kubelet needs them. "
            "Mount them, or use the `existing` target."
        )
    # The unified tree of a hybrid host carries no controllers that kubelet uses.
    return [path for path in found if not (path / "cgroup.controllers").exists()]


def _copy_cpuset(directory: Path) -> None:
    """Give a fresh version 1 cpuset the processors of its parent: it starts with none, and nothing could run in it."""
    for name in ("cpuset.cpus", "cpuset.mems"):
        with contextlib.suppress(FileNotFoundError):
            (directory / name).write_text((directory.parent / name).read_text())


def _hand_down(directory: Path) -> None:
    for controller in DELEGATED:
        with contextlib.suppress(OSError):  # not offered by this kernel; kubelet names it if it needs it
            (directory / "cgroup.subtree_control").write_text(f"+{controller}")


def make(group: str, root: Path = ROOT) -> None:
    """Make a group such as `rakazo-1a2b/system` everywhere; existing directories are fine."""
    for hierarchy in hierarchies(root):
        unified = (hierarchy / "cgroup.controllers").exists()
        directory = hierarchy
        for part in Path(group).parts:
            if unified:
                _hand_down(directory)
            directory = directory / part
            directory.mkdir(exist_ok=True)
            if (directory / "cpuset.cpus").exists() and not unified:
                _copy_cpuset(directory)
        if unified:
            _hand_down(directory)


def _deepest_first(directory: Path) -> Iterator[Path]:
    for path, _, _ in os.walk(directory, topdown=False):
        yield Path(path)


def existing(group: str, root: Path = ROOT) -> list[Path]:
    """Return the directories of a group that exist."""
    return [place / group for place in mount_points(root) if (place / group).is_dir()]


def membership_file(group: str, root: Path = ROOT) -> Path:
    """Return the file into which a process writes 0 to become a member of the group, which must exist.

    On version 1 that is the hierarchy that only counts processes: what they use stays booked where they were started.
    """
    place = root if (root / "cgroup.controllers").exists() else root / "pids"
    return place / group / "cgroup.procs"


def processes(group: str, root: Path = ROOT) -> list[int]:
    """Return every process of a group and of the groups below it; one that is being removed has none."""
    found: set[int] = set()
    for folder, _, files in os.walk(membership_file(group, root).parent):
        if "cgroup.procs" in files:
            with contextlib.suppress(FileNotFoundError):
                found |= {int(line) for line in (Path(folder) / "cgroup.procs").read_text().split()}
    return sorted(found)


def end_processes(group: str, root: Path = ROOT, deadline_seconds: float = 10.0) -> None:
    """End what is in a group of ours although no record names it, as after the state folder was deleted by hand."""
    for pid in processes(group, root):
        with contextlib.ExitStack() as stack:
            try:
                handle = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            stack.callback(os.close, handle)
            if pid in processes(group, root):  # still ours now that the handle cannot come to mean another process
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                select.select([handle], [], [], deadline_seconds)


def remove(group: str, root: Path = ROOT, deadline_seconds: float = 10.0) -> None:
    """Remove a group and all below it once its processes are gone; raises LocalError naming what still runs in it."""
    deadline = time.monotonic() + deadline_seconds
    while True:
        for directory in existing(group, root):
            for path in _deepest_first(directory):
                with contextlib.suppress(OSError):  # busy until the kernel has buried the last process
                    path.rmdir()
        left = existing(group, root)
        if not left:
            return
        if time.monotonic() > deadline:
            running = sorted({line for path in left[0].rglob("cgroup.procs") for line in path.read_text().split()})
            raise LocalError(f"control group {left[0]} cannot be removed: processes {running or 'none'} are in it")
        time.sleep(0.05)
