"""The program of a machine's PID 1: makes the namespaces, gives them their own file system view, then waits.

Run as `python -S -m local.machines.init <blueprint as JSON>`. The first process records the second, which becomes
PID 1, and ends; PID 1 goes on only when it is recorded, so that no machine exists that nothing knows of.
"""

import fcntl
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from local.machines import namespaces
from local.machines.records import ProcessRecord

HIGHEST_DESCRIPTOR = 1024
STATE = "/run/machine"
"""Where a machine sees its own state folder, wherever the checkout lies."""


def _private_copy(folder: str, number: int) -> None:
    """Let writes below a folder of the host go to memory of the machine."""
    upper, work = f"/run/copies/{number}/upper", f"/run/copies/{number}/work"
    Path(upper).mkdir(parents=True)
    Path(work).mkdir(parents=True)
    namespaces.mount("overlay", folder, "overlay", 0, f"lowerdir={folder},upperdir={upper},workdir={work}")


def _furnish(blueprint: dict[str, Any]) -> None:
    """Build the machine's view of the file system; nothing of it propagates to the host."""
    namespaces.mount("none", "/", "", namespaces.MS_REC | namespaces.MS_PRIVATE)
    namespaces.mount("tmpfs", "/run", "tmpfs", 0, "mode=755")
    Path(STATE).mkdir()
    namespaces.mount(blueprint["state"], STATE, "", namespaces.MS_BIND)
    for number, folder in enumerate(blueprint["copies"]):
        _private_copy(folder, number)
    for target, source in blueprint["folders"].items():
        Path(target).mkdir(parents=True, exist_ok=True)
        Path(STATE, source).mkdir(parents=True, exist_ok=True)
        namespaces.mount(f"{STATE}/{source}", target, "", namespaces.MS_BIND)
    for target, source in blueprint["attached"].items():
        Path(target).mkdir(parents=True, exist_ok=True)
        namespaces.mount(source, target, "", namespaces.MS_BIND)
        # The kernel takes the flag only in a second step.
        namespaces.mount("none", target, "", namespaces.MS_REMOUNT | namespaces.MS_BIND | namespaces.MS_RDONLY)
    for target, text in (blueprint["files"] | blueprint["scripts"]).items():
        path = Path(target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text)
        if target in blueprint["scripts"]:
            path.chmod(0o755)
    namespaces.mount("proc", "/proc", "proc")
    # Kubelet corrects kernel settings that are the host's: it finds them corrected here, and the host keeps its own.
    for number, (setting, value) in enumerate(blueprint["settings"].items()):
        source = Path(f"/run/settings/{number}")
        source.parent.mkdir(exist_ok=True)
        source.write_text(f"{value}\n")
        if Path(f"/proc/sys/{setting}").exists():
            namespaces.mount(str(source), f"/proc/sys/{setting}", "", namespaces.MS_BIND)
    Path("/run/tmp").mkdir(mode=0o1777)
    # Volumes that kubelet mounts must reach containers that containerd starts, and the other way round.
    namespaces.mount("none", "/", "", namespaces.MS_REC | namespaces.MS_SHARED)


def _be_first_process(blueprint: dict[str, Any], recorded: int, ready: int) -> None:
    """Wait until recorded, furnish the machine, say so, then adopt orphans until the kernel ends everything."""
    if os.read(recorded, 1) != b"y":
        os._exit(1)
    os.setsid()
    log = os.open(blueprint["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    # Found again through the group even when the records are lost.
    Path(blueprint["membership"]).write_text("0")
    socket.sethostname(blueprint["hostname"])
    # Held until the machine ends: whoever would remove the folder can see that it is in use.
    held = os.open(blueprint["held"], os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_SH)
    _furnish(blueprint)
    os.chdir("/")
    os.write(ready, b"y")
    os.closerange(3, held)
    os.closerange(held + 1, HIGHEST_DESCRIPTOR)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel then reaps adopted children by itself
    while True:
        signal.pause()


def main() -> int:
    """Start the machine; 0 once its namespaces are furnished, 1 with the reason in its log otherwise."""
    blueprint = json.loads(sys.argv[1])
    recorded_read, recorded_write = os.pipe()
    ready_read, ready_write = os.pipe()
    namespaces.unshare_everything()
    pid = os.fork()
    if pid == 0:
        os.close(recorded_write)
        os.close(ready_read)
        try:
            _be_first_process(blueprint, recorded_read, ready_write)
        except BaseException as error:  # noqa: BLE001 - whatever it was, it is the machine's end and belongs in its log
            sys.stderr.write(f"machine {blueprint['hostname']}: {error}\n")
            sys.stderr.flush()
        os._exit(1)
    os.close(recorded_read)
    os.close(ready_write)
    record = ProcessRecord.of(pid, name="machine", machine=blueprint["hostname"], log=blueprint["log"])
    record.write(Path(blueprint["record"]))
    os.write(recorded_write, b"y")
    return 0 if os.read(ready_read, 1) == b"y" else 1


if __name__ == "__main__":
    sys.exit(main())
