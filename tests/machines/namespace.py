"""A network namespace that a recorded process holds, and programs and sockets in it."""

import contextlib
import dataclasses
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.machines import control_groups, namespaces
from local.machines.blueprint import Blueprint
from local.machines.machine import Machine as Holder

LEAF = "holder"
"""Of control groups version 2, where a group that hands controllers down may hold no process."""


def hold(holder: Holder, group: str, blueprint: Blueprint | None = None) -> None:
    """Start the process that holds namespaces of every kind; `group` is its control group, which is made anew.

    LocalError: the kernel refuses, with the process' log.
    """
    control_groups.remove(group)
    control_groups.make(f"{group}/{LEAF}")
    membership = str(control_groups.membership_file(f"{group}/{LEAF}"))
    holder.start(dataclasses.replace(blueprint or Blueprint(name=holder.name), membership=membership))


def let_go(holder: Holder, group: str) -> None:
    """End the process and everything in its namespaces, and remove its control groups."""
    holder.end()
    control_groups.end_processes(group)
    control_groups.remove(group)
    for record in (holder.folder / "pids").glob(f"{holder.name}.*.json"):
        record.unlink()


@dataclass(frozen=True)
class Namespace:
    """The network of one place. Programs in it see the host's files and processes."""

    holder: Holder

    def command(self, argv: Sequence[str]) -> list[str]:
        """Return the command line that runs a program in the network; the pid of its process is the program's."""
        return ["nsenter", f"--target={self.holder.pid}", "--net", "--", *argv]

    def run(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: str | None = None,
        seconds: float = 60.0,
        check: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end; subprocess.TimeoutExpired when it takes longer, and it is ended."""
        return subprocess.run(
            self.command(argv),
            env=None if env is None else dict(env),
            cwd=cwd,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=check,
        )

    def popen(self, argv: Sequence[str], **options: Any) -> "subprocess.Popen[str]":
        """Start a program that the caller ends; the options are those of subprocess.Popen."""
        return subprocess.Popen(self.command(argv), text=True, **options)

    def batch(self, lines: Sequence[str]) -> None:
        """Run lines of `ip`; LocalError with the line that the kernel refused."""
        self.holder.run(["ip", "-batch", "-"], stdin="\n".join(lines) + "\n", network_only=True)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Move this thread, and what it starts, into the network; sockets that are made meanwhile stay in it."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            namespaces.join(self.holder.pid, ("net",))
            try:
                yield
            finally:
                namespaces.enter(home, "net")
        finally:
            os.close(home)
