"""One machine of a cluster: start it, run programs in it, end it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from local.checkout import PROJECT
from local.failure import LocalError
from local.log_end import log_end
from local.machines import namespaces
from local.machines.blueprint import Blueprint
from local.machines.records import ProcessRecord

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def _python(module: str, order: object) -> list[str]:
    # -S: these modules need the standard library alone and start in a third of the time.
    return [sys.executable, "-S", "-m", module, json.dumps(order)]


def _host_environment() -> dict[str, str]:
    return {"PATH": SYSTEM_PATH, "PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True)
class Machine:
    """A machine by name in a cluster's folder; it may be running or not."""

    name: str
    folder: Path
    """The cluster's folder."""

    @property
    def state(self) -> Path:
        """What the machine sees as /run/machine."""
        return self.folder / "machines" / self.name

    @property
    def record_path(self) -> Path:
        """Where PID 1 is recorded."""
        return self.folder / "pids" / f"{self.name}.machine.json"

    @property
    def record(self) -> ProcessRecord | None:
        """The recorded PID 1, alive or not."""
        try:
            return ProcessRecord.read(self.record_path)
        except (OSError, ValueError, TypeError):
            return None

    @property
    def alive(self) -> bool:
        """Whether its PID 1 runs."""
        record = self.record
        return record is not None and record.alive

    @property
    def pid(self) -> int:
        """The host's number of its PID 1; raises LocalError when the machine does not run."""
        record = self.record
        if record is None or not record.alive:
            raise LocalError(f"machine {self.name} does not run; start it again with `rakazo-infra local up`")
        return record.pid

    def log_of(self, program: str) -> Path:
        """Where a program's output goes."""
        return self.folder / "logs" / f"{self.name}.{program}.log"

    def program_record(self, program: str) -> Path:
        """Where a program's process is recorded."""
        return self.folder / "pids" / f"{self.name}.{program}.json"

    def start(self, blueprint: Blueprint) -> None:
        """Make the namespaces; raises LocalError with the machine's log when the kernel refuses."""
        self.state.mkdir(parents=True, exist_ok=True)
        log = self.log_of("machine")
        log.parent.mkdir(parents=True, exist_ok=True)
        order = blueprint.as_json(state=str(self.state), record=str(self.record_path), log=str(log))
        done = subprocess.run(
            _python("local.machines.init", order), capture_output=True, text=True, env=_host_environment(), check=False
        )
        if done.returncode != 0:
            reason = done.stderr.strip().splitlines()[-1:] or [log_end(log, 3)]
            raise LocalError(
                f"machine {self.name} cannot be started: {reason[0]}. The embedded Kubernetes needs namespaces, "
                "overlay mounts and CAP_SYS_ADMIN; where they are not to be had, use the `existing` target."
            )

    def run(
        self,
        command: Sequence[str],
        *,
        stdin: str | None = None,
        seconds: float = 60.0,
        network_only: bool = False,
    ) -> str:
        """Run one command to its end in the machine and return its output; raises LocalError with its error.

        `network_only` leaves it the host's pids and files: links are moved to machines by the host's pids.
        """
        everything = ("--mount", "--net", "--uts", "--ipc", "--pid")
        entered = ("--net",) if network_only else everything
        try:
            done = subprocess.run(
                ["nsenter", f"--target={self.pid}", *entered, "--", *command],
                input=stdin,
                stdin=subprocess.DEVNULL if stdin is None else None,
                capture_output=True,
                text=True,
                timeout=seconds,
                env={"PATH": SYSTEM_PATH, "TMPDIR": "/run/tmp", "HOME": "/root"},
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise LocalError(f"`{' '.join(command)}` on {self.name} took more than {seconds:.0f} s") from error
        if done.returncode != 0:
            raise LocalError(f"`{' '.join(command)}` on {self.name} failed: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def spawn(
        self, program: str, command: Sequence[str], *, sockets: Sequence[int] = (), path: str = SYSTEM_PATH
    ) -> ProcessRecord:
        """Start a program that keeps running; `sockets` are listening descriptors that it inherits."""
        log = self.log_of(program)
        log.parent.mkdir(parents=True, exist_ok=True)
        environment = {"PATH": path, "TMPDIR": "/run/tmp", "HOME": "/root"}
        if sys.executable == command[0]:
            environment |= {"PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
        order = {
            "pid": self.pid,
            "machine": self.name,
            "name": program,
            "command": list(command),
            "environment": environment,
            "log": str(log),
            "record": str(self.program_record(program)),
        }
        for descriptor in sockets:
            os.set_inheritable(descriptor, True)
        done = subprocess.run(
            _python("local.machines.enter", order),
            pass_fds=tuple(sockets),
            capture_output=True,
            text=True,
            env=_host_environment(),
            check=False,
        )
        if done.returncode != 0:
            raise LocalError(done.stderr.strip() or f"{program} on {self.name} cannot be started")
        return ProcessRecord.read(self.program_record(program))

    def datagram_socket(self) -> socket.socket:
        """Return a UDP socket of the machine's network, for use from the host; only a short-lived thread enters it."""

        def inside() -> socket.socket:
            namespaces.join(self.pid, ("net",))
            return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

        with ThreadPoolExecutor(max_workers=1) as pool:
            return pool.submit(inside).result()

    def end(self) -> None:
        """End PID 1 and with it every process of the machine; raises LocalError when it survives."""
        record = self.record
        if record is not None and not record.end():
            raise LocalError(f"machine {self.name} (pid {record.pid}) did not end within 10 s of SIGKILL")
