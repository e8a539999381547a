"""What a machine is made of, as data: its folders, files and kernel settings."""

from dataclasses import dataclass, field
from typing import Any

COPIES = ("/etc", "/opt", "/var/lib", "/var/log")
"""Folders of the host that a machine sees but never changes: what it writes there stays in its memory."""

SETTINGS = {
    "vm/overcommit_memory": "1",
    "vm/panic_on_oom": "0",
    "kernel/panic": "10",
    "kernel/panic_on_oops": "1",
    "kernel/keys/root_maxkeys": "1000000",
    "kernel/keys/root_maxbytes": "25000000",
}
"""The values that kubelet would otherwise write into the host's kernel."""


@dataclass(frozen=True, kw_only=True)
class Blueprint:
    """One machine before it is started."""

    name: str
    folders: dict[str, str] = field(default_factory=dict)
    """Path in the machine to the sub-folder of its state that is mounted there and outlives its processes."""
    attached: dict[str, str] = field(default_factory=dict)
    """Path in the machine to a folder of the host that is mounted there read-only."""
    membership: str = "/dev/null"
    """The file of a control group that PID 1 joins by writing 0 into it."""
    held: str = "/"
    """A folder of the host on which the machine keeps a shared lock while it runs."""
    files: dict[str, str] = field(default_factory=dict)
    """Path in the machine to content; below one of COPIES or /run."""
    scripts: dict[str, str] = field(default_factory=dict)
    """The same for files that can be executed."""

    def as_json(self, *, state: str, record: str, log: str) -> dict[str, Any]:
        """Render for `local.machines.init`; the paths are the host's."""
        return {
            "hostname": self.name,
            "state": state,
            "record": record,
            "log": log,
            "copies": list(COPIES),
            "folders": self.folders,
            "attached": self.attached,
            "held": self.held,
            "membership": self.membership,
            "files": self.files,
            "scripts": self.scripts,
            "settings": SETTINGS,
        }
