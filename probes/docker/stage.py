"""One verification of a machine at a time, and nothing of a dead one stays."""

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from probes.cast import LABEL
from probes.docker.containers import Containers
from probes.prober import ProbeError
from probes.stage import LEASE_SECONDS, RENEW_SECONDS

PATIENCE_SECONDS = 900.0
"""For another verification to end."""
LEASE = "/run/rakazo-verify"
# The machine's own clock alone is read, and the one that no administrator sets: seconds since its start.
_TAKE = f"""
exec 9>{LEASE}.lock; flock 9
now=$(cut -d. -f1 /proc/uptime); who= when=0
[ ! -e {LEASE} ] || read -r who when <{LEASE}
if [ -n "$who" ] && [ "$who" != "$0" ] && [ $((now - when)) -lt {LEASE_SECONDS:.0f} ]; then exit 3; fi
echo "$0 $now" >{LEASE}
"""
_LEAVE = f'exec 9>{LEASE}.lock; flock 9; ! grep -q "^$0 " {LEASE} 2>/dev/null || rm -f {LEASE}'
OTHERS = 3
"""Exit code of the first program while another run has the machine."""


class Stage:
    """Holds a lease on the machine; as a context manager it leaves nothing behind."""

    def __init__(self, containers: Containers, run: str, tell: Callable[[str], None]) -> None:
        """`run` is the id of this run; `tell` is called with what takes long."""
        self._containers = containers
        self._run = run
        self._tell = tell
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> Self:
        """Wait for the end of a living run, take the machine, and remove what a dead one left."""
        deadline, told = time.monotonic() + PATIENCE_SECONDS, False
        while not self._take():
            if not told:
                self._tell("another verification is here: waiting for its end, or for a sign that it is dead")
                told = True
            if time.monotonic() > deadline:
                raise ProbeError(
                    f"another verification has the machine for {PATIENCE_SECONDS:.0f} s; see {LEASE} there"
                )
            time.sleep(1)
        self._renewing.start()
        self.sweep()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything of this run, and give the machine back."""
        self._ended.set()
        self.sweep()
        self._containers.machine.run(["sh", "-c", _LEAVE, self._run])

    def sweep(self) -> None:
        """Remove every container and network that carries the label."""
        self._containers.remove(*self._containers.names(f"label={LABEL}"))
        self._containers.remove_networks(*self._containers.networks(f"label={LABEL}"))

    def _take(self) -> bool:
        did = self._containers.machine.run(["sh", "-c", _TAKE, self._run])
        if did.exit_code not in (0, OTHERS):
            raise ProbeError(f"{LEASE} cannot be written on the machine: {did.errors.strip()[-500:]}")
        return did.exit_code == 0

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_SECONDS):
            try:
                self._take()
            except ProbeError:
                self._tell("the verification's lease could not be renewed; trying again")
