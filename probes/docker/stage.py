"""One verification of a machine at a time, and nothing of a dead one stays."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from probes.cast import LABEL
from probes.docker.containers import Containers
from probes.docker.runner import Did, Runner
from probes.docker.surroundings import BOTS, NETWORKS
from probes.errand import BOT
from probes.prober import ProbeError

PATIENCE_SECONDS = 900.0
"""For another verification to end."""
LEASE_SECONDS = 60.0
"""A run that has not renewed its lease for so long is dead: a busy machine may be slow to take a command."""
RENEW_SECONDS = LEASE_SECONDS / 3
RENEWAL_SECONDS = 10.0
"""For one renewal, so that another one has its turn before the lease ends."""
LEASE = "/run/rakazo-verify"
# The machine's own clock alone is read, and the one that no administrator sets: seconds since its start.
_TAKE = f"""
exec 9>{LEASE}.lock; flock 9
now=$(cut -d. -f1 /proc/uptime); who= when=0
[ ! -e {LEASE} ] || read -r who when <{LEASE}
if [ -n "$who" ] && [ "$who" != "$0" ] && [ $((now - when)) -lt {LEASE_SECONDS:.0f} ]; then exit 3; fi
echo "$0 $now" >{LEASE}
"""
# Nothing is taken anew: who was here meanwhile, and has left again, has removed what this run had made.
_RENEW = f"""
exec 9>{LEASE}.lock; flock 9
grep -q "^$0 " {LEASE} 2>/dev/null || exit 3
echo "$0 $(cut -d. -f1 /proc/uptime)" >{LEASE}
"""
_LEAVE = f'exec 9>{LEASE}.lock; flock 9; ! grep -q "^$0 " {LEASE} 2>/dev/null || rm -f {LEASE}'
OTHERS = 3
"""Exit code of the first two programs while another run has the machine."""
LOST = (
    f"another verification took over, because this one could not renew {LEASE} on the machine for "
    f"{LEASE_SECONDS:.0f} s, or the machine started anew; run it again"
)
ERRAND = f"{BOTS}{BOT}"
"""The computer of claim application-computer, as the application names it."""
ERRANDS_NETWORK = f"name=^{NETWORKS}{BOT}-[0-9a-f]+$"
"""Finds its network: the name ends with a digest."""


@dataclass(frozen=True, kw_only=True)
class _Leased:
    """The machine for as long as the lease on it is ours; ProbeError afterwards."""

    machine: Runner
    lost: threading.Event

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        if self.lost.is_set():
            raise ProbeError(LOST)
        return self.machine.run(command, stdin=stdin, seconds=seconds, urgent=urgent)


class Stage:
    """Holds a lease on the machine; as a context manager it leaves nothing behind."""

    def __init__(self, containers: Containers, run: str, tell: Callable[[str], None]) -> None:
        """`run` is the id of this run; `tell` is called with what takes long."""
        self._containers = containers
        self._run = run
        self._tell = tell
        self._taken = False
        self._lost = threading.Event()
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew, daemon=True)
        self.containers = Containers(_Leased(machine=containers.machine, lost=self._lost))
        """Those of the machine, for as long as the lease is ours: ProbeError once another run took over."""

    def __enter__(self) -> Self:
        """Wait for the end of a living run, take the machine, and remove what a dead one left."""
        self._wait_for_the_other()
        self._taken = True
        self._renewing.start()
        try:
            self._sweep(LABEL)
        except BaseException:
            self._give_back()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything of this run, and give the machine back; ProbeError when it was lost meanwhile."""
        self.leave()
        if error is None and self._lost.is_set():
            raise ProbeError(LOST)

    def leave(self) -> None:
        """Remove what this run made, whenever it is interrupted, and give the machine back; nothing of another run."""
        try:
            self._sweep(f"{LABEL}={self._run}")
        finally:
            self._give_back()

    def _sweep(self, label: str) -> None:
        """Remove every container and network with the label, and the errand's computer while the machine is ours."""
        containers, networks = self._containers.names(f"label={label}"), self._containers.networks(f"label={label}")
        if self._taken and not self._lost.is_set():
            # The application made it for us, with its own labels. Of a dead run it would be started again as it was.
            containers.append(ERRAND)
            networks += self._containers.networks(ERRANDS_NETWORK)
        self._containers.remove(*containers)
        self._containers.remove_networks(*networks)

    def _wait_for_the_other(self) -> None:
        deadline, told = time.monotonic() + PATIENCE_SECONDS, False
        while not self._asked(_TAKE):
            if not told:
                self._tell("another verification is here: waiting for its end, or for a sign that it is dead")
                told = True
            if time.monotonic() > deadline:
                raise ProbeError(
                    f"another verification has the machine for {PATIENCE_SECONDS:.0f} s; see {LEASE} there"
                )
            time.sleep(1)

    def _give_back(self) -> None:
        self._ended.set()
        if self._renewing.is_alive():
            self._renewing.join()
        self._taken = False
        self._asked(_LEAVE)

    def _asked(self, program: str, seconds: float = 60.0) -> bool:
        """Return whether the lease is ours as far as the program asks; it waits for no other command of this run."""
        did = self._containers.machine.run(["sh", "-c", program, self._run], seconds=seconds, urgent=True)
        if did.exit_code not in (0, OTHERS):
            raise ProbeError(f"{LEASE} cannot be written on the machine: {did.errors.strip()[-500:]}")
        return did.exit_code == 0

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_SECONDS):
            try:
                if not self._asked(_RENEW, RENEWAL_SECONDS):
                    self._lost.set()
                    self._tell(LOST)
                    return
            except ProbeError:
                self._tell("the verification's lease could not be renewed; trying again")
