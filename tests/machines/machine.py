"""One whole Linux server: power, disk, links, and a look inside."""

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock, Thread

from local.failure import LocalError
from local.log_end import log_end
from local.machines import control_groups
from local.machines.blueprint import Blueprint
from local.machines.machine import SYSTEM_PATH
from local.machines.machine import Machine as Holder
from local.machines.records import ProcessRecord
from tests.machines import boot, cables, firewall, namespace, process_tree, seed
from tests.machines.addresses import PRIVATE_NIC, PUBLIC_NIC, SSH_PORT
from tests.machines.boot import Boot
from tests.machines.namespace import Namespace

BOOT_SECONDS = 60.0
"""Far above the 2 to 4 s that a boot takes; on expiry the console is shown."""
SYSTEM = "system"
INTERVAL = 0.05


class Machine:
    """A server that is off until it is started; what is on its disk stays until it is wiped."""

    def __init__(
        self,
        holder: Holder,
        operator: Namespace,
        *,
        group: str,
        root: Path,
        public: str,
        instance_id: str,
        user_data: str = "",
        public_keys: Sequence[str] = (),
        shown: Mapping[str, Path] | None = None,
    ) -> None:
        """Describe the machine; `Estate.machine` does it."""
        self.name = holder.name
        self.public = public
        self.private: str | None = None
        self.instance_id = instance_id
        self.user_data = user_data
        self.public_keys = tuple(public_keys)
        self._nic = PRIVATE_NIC
        self._holder = holder
        self._operator = operator
        self._group = group
        self._root = root
        self._shown = dict(shown or {})
        self._lock = RLock()
        self._boots = 0

    @property
    def _disk(self) -> Path:
        return self._holder.state / boot.DISK

    @property
    def _record(self) -> ProcessRecord | None:
        path = self._holder.program_record(SYSTEM)
        return ProcessRecord.read(path) if path.exists() else None

    @property
    def running(self) -> bool:
        """Whether the machine is on; one that has been shut down from inside is not."""
        record = self._record
        return self._holder.alive and record is not None and record.alive

    def console(self) -> str:
        """Everything that the machine has printed on its console, of all boots."""
        path = self._holder.log_of(SYSTEM)
        return path.read_text(errors="replace") if path.exists() else ""

    def start(self, *, wait: bool = True) -> None:
        """Switch on, and unless told otherwise wait until SSH answers; LocalError with the console when it does not."""
        with self._lock:
            if self.running:
                return
            self._cut()
            if not self._disk.exists():
                seed.plant(
                    self._disk,
                    self._root,
                    name=self.name,
                    instance_id=self.instance_id,
                    user_data=self.user_data,
                    public_keys=self.public_keys,
                )
            self._boot()
        if wait:
            self.wait_for_ssh()

    def _boot(self) -> None:
        leaf = f"{self._group}/{SYSTEM}"
        members = tuple(place / leaf / "cgroup.procs" for place in control_groups.mount_points())
        made = Boot(name=self.name, root=self._root, members=members, shown=self._shown)
        blueprint = Blueprint(name=self.name, scripts={boot.SCRIPT: made.script()})
        namespace.hold(self._holder, self._group, blueprint)
        control_groups.make(leaf)
        for path in members:  # of a hybrid host's unified tree too, in which systemd makes groups
            path.parent.mkdir(parents=True, exist_ok=True)
        self._operator.batch(cables.public_cable(self.public, self._holder.pid))
        Namespace(self._holder).batch(cables.nic_lines(PUBLIC_NIC, self.public))
        if self.private is not None:
            self._lay_private_cable(self.private)
        record = self._holder.spawn(SYSTEM, [boot.SCRIPT])
        self._boots += 1
        Thread(target=self._watch, args=(record,), name=f"watch {self.name}", daemon=True).start()

    def _watch(self, record: ProcessRecord) -> None:
        """Boot again when the machine ends because it wants to be booted again."""
        record.wait()
        with self._lock:
            if self._record != record:
                return  # somebody has cut the power
            with contextlib.suppress(OSError):
                if int((self._holder.state / boot.EXIT).read_text()) == boot.REBOOTS:
                    self._cut()
                    self._boot()

    def stop(self) -> None:
        """Cut the power: every process of the machine is gone when this returns, and so are its links and mounts."""
        with self._lock:
            self._cut()

    def _cut(self) -> None:
        namespace.let_go(self._holder, self._group)
        if self._operator.holder.alive:
            # The kernel takes a dead namespace's links away when it finds the time, and the next boot needs the names.
            for end in self._ends():
                self._operator.run(["ip", "link", "delete", end])

    def _ends(self) -> list[str]:
        """Return the operator's ends of the machine's links."""
        private = [] if self.private is None else [cables.private_end(self.private)]
        return [cables.public_end(self.public), *private]

    def reboot(self, *, wait: bool = True) -> None:
        """Ask the machine to reboot, as `reboot` typed on it does; unless told otherwise wait until SSH answers."""
        before = self._boots
        self.run(["systemctl", "--no-block", "reboot"])
        self._until(lambda: self._boots > before, "did not end for its reboot")
        if wait:
            self.wait_for_ssh()

    def reset(self, *, wait: bool = True) -> None:
        """Cut the power and switch on again: nothing is told that it ends."""
        self.stop()
        self.start(wait=wait)

    def wipe(self) -> None:
        """Stop and empty the disk: the next start is a first boot, with the user data as it then is."""
        with self._lock:
            self._cut()
            shutil.rmtree(self._disk, ignore_errors=True)

    def attach_private(self, address: str, nic: str = PRIVATE_NIC) -> None:
        """Attach the machine to the private side, at once when it runs, under this address and link's name."""
        with self._lock:
            if self.private is not None:
                raise LocalError(f"machine {self.name} has the private address {self.private} already")
            self.private, self._nic = address, nic
            if self.running:
                self._lay_private_cable(address)

    def detach_private(self) -> None:
        """Take the private link away; the machine sees it vanish."""
        with self._lock:
            if self.private is not None and self.running:
                self._operator.batch([f"link delete {cables.private_end(self.private)}"])
            self.private = None

    def _lay_private_cable(self, address: str) -> None:
        self._operator.batch(cables.private_cable(address, self._nic, self._holder.pid))
        Namespace(self._holder).batch(cables.private_nic_lines(self._nic, address))

    def run(
        self, argv: Sequence[str], *, stdin: str | None = None, seconds: float = 60.0, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Run a program as root in the machine without its knowledge, for looking and for making faults."""
        leader = process_tree.first_process(self._record.pid if self._record else 0)
        if leader is None:
            raise LocalError(f"machine {self.name} does not run:\n{log_end(self._holder.log_of(SYSTEM))}")
        # We have what the machine has not: a program of ours could set the host's clock.
        bounding = ",".join(f"-{name}" for name in boot.NOT_CAPABLE)
        entered = ("--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup")
        return subprocess.run(
            ["nsenter", f"--target={leader}", *entered, "--", "setpriv", f"--bounding-set={bounding}", *argv],
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            env={"PATH": SYSTEM_PATH, "HOME": "/root", "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=check,
        )

    def hold_ssh(self, seconds: float) -> None:
        """Let the machine's SSH port refuse connections for so long, whether it runs yet or not."""
        command = firewall.hold(cables.public_end(self.public), SSH_PORT, seconds)
        self._operator.run(["nft", command], check=True)

    def wait_for_ssh(self, seconds: float = BOOT_SECONDS) -> None:
        """Wait until the SSH port answers the operator; LocalError with the console when it does not."""
        self._until(self._ssh_answers, "does not answer on its SSH port", seconds)

    def wait_for_cloud_init(self, seconds: float = BOOT_SECONDS) -> None:
        """Wait until cloud-init has done everything for this boot; LocalError with the console when it has not."""
        self._until(lambda: self._has("/run/cloud-init/result.json"), "has not finished cloud-init", seconds)

    def _has(self, path: str) -> bool:
        return self.run(["test", "-e", path], check=False).returncode == 0

    def _ssh_answers(self) -> bool:
        here = (self.public, SSH_PORT)
        with contextlib.suppress(OSError), self._operator.inside(), socket.create_connection(here, 1.0) as link:
            return link.recv(4) == b"SSH-"
        return False

    def _until(self, holds: Callable[[], bool], complaint: str, seconds: float = BOOT_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                end = log_end(self._holder.log_of(SYSTEM), 30)
                raise LocalError(f"machine {self.name} {complaint} within {seconds:.0f} s. Its console:\n{end}")
            time.sleep(INTERVAL)
