"""Ending a cluster: processes, control groups and files; namespaces, links and mounts end with the processes."""

import os

from rich.console import Console

from local.cluster import store
from local.cluster.folder import ClusterFolder
from local.failure import LocalError
from local.machines import control_groups
from local.machines.records import read_all


def tidy(folder: ClusterFolder) -> None:
    """Remove whatever there is of a cluster, complete or not; the caller holds its lock."""
    records = read_all(folder.pids)
    # The machines first: the kernel then ends everything else in them.
    for record in sorted(records, key=lambda record: record.name != "machine"):
        if not record.end():
            raise LocalError(f"{record.name} on {record.machine} (pid {record.pid}) did not end within 10 s of SIGKILL")
    control_groups.end_processes(folder.group)
    control_groups.remove(folder.group)
    folder.remove()


def down(name: str, console: Console) -> bool:
    """End and remove the cluster; False when there was nothing of it."""
    folder = ClusterFolder(name)
    if os.geteuid() == 0:
        store.remove_leftovers()
    existed = folder.known or bool(control_groups.existing(folder.group))
    if existed and os.geteuid() != 0:
        raise LocalError(f"cluster {name} belongs to root: run `rakazo-infra local down --name {name}` with sudo")
    if existed:
        with folder.locked():
            tidy(folder)
        console.print(f"cluster {name} is gone: processes, namespaces, links, mounts, control groups and files")
    return existed
