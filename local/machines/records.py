"""Records of processes that we started: a pid is only ours while its start time and the boot are the recorded ones."""

import contextlib
import json
import os
import select
import signal
from dataclasses import asdict, dataclass
from pathlib import Path

START_TIME_FIELD = 22  # of /proc/<pid>/stat, counted from 1; clock ticks since boot
STATE_FIELD = 3


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def _stat(pid: int) -> list[str] | None:
    """Fields of the process from the third on: the second, its name, may itself hold blanks and brackets."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text.rpartition(")")[2].split()


@dataclass(frozen=True)
class ProcessRecord:
    """One process on this host, safe against the reuse of its number."""

    name: str
    machine: str
    pid: int
    started: int
    """Clock ticks since boot, as the kernel counts them."""
    boot: str
    log: str
    """Path of the file that holds its output."""

    @classmethod
    def of(cls, pid: int, *, name: str, machine: str, log: str) -> "ProcessRecord":
        """Describe the live process `pid`; raises ProcessLookupError when it is already gone."""
        fields = _stat(pid)
        if fields is None:
            raise ProcessLookupError(f"{name} on {machine} (pid {pid}) ended at once; its output is in {log}")
        started = int(fields[START_TIME_FIELD - STATE_FIELD])
        return cls(name=name, machine=machine, pid=pid, started=started, boot=_boot(), log=log)

    @classmethod
    def read(cls, path: Path) -> "ProcessRecord":
        """Load what `write` saved."""
        return cls(**json.loads(path.read_text()))

    def write(self, path: Path) -> None:
        """Save so that a reader sees the whole record or none."""
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(self)))
        draft.replace(path)

    @property
    def alive(self) -> bool:
        """Whether the recorded process still runs: neither ended, nor a zombie, nor another one under its number."""
        fields = _stat(self.pid)
        if fields is None or fields[0] in "ZX":
            return False
        return int(fields[START_TIME_FIELD - STATE_FIELD]) == self.started and self.boot == _boot()

    def end(self, *, sign: signal.Signals = signal.SIGKILL, deadline_seconds: float = 10.0) -> bool:
        """Signal the process and wait until it has ended; True when it is gone at the deadline or before.

        The handle is opened before the identity is checked, so no other process can be hit in between.
        """
        with contextlib.ExitStack() as stack:
            try:
                handle = os.pidfd_open(self.pid)
            except ProcessLookupError:
                return True
            stack.callback(os.close, handle)
            if not self.alive:
                return True
            signal.pidfd_send_signal(handle, sign)
            ended, _, _ = select.select([handle], [], [], deadline_seconds)
            return bool(ended)

    def wait(self) -> None:
        """Wait without a limit until the process has ended, whoever ends it."""
        with contextlib.ExitStack() as stack:
            try:
                handle = os.pidfd_open(self.pid)
            except ProcessLookupError:
                return
            stack.callback(os.close, handle)
            if self.alive:
                select.select([handle], [], [])


def read_all(folder: Path) -> list[ProcessRecord]:
    """Every record in the folder, by file name; what is no record, because a run was killed, is passed over."""
    records = []
    for path in sorted(folder.glob("*.json")):
        with contextlib.suppress(ValueError, TypeError):
            records.append(ProcessRecord.read(path))
    return records
