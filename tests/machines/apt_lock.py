"""The lock that apt holds on a machine that has just booted and brings itself up to date."""

import time

from local.failure import LocalError
from tests.machines.machine import Machine

LOCK = "/var/lib/dpkg/lock-frontend"
UNIT = "holds-apt"
HOLD = f"""
import fcntl, sys, time
lock = open({LOCK!r}, "w")
fcntl.lockf(lock, fcntl.LOCK_EX)
time.sleep(float(sys.argv[1]))
"""
LOOK = f"import fcntl; fcntl.lockf(open({LOCK!r}, 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
TAKEN_SECONDS = 20.0
REFUSED_SECONDS = 120.0


def hold(machine: Machine, seconds: float) -> None:
    """Let a service of the machine hold apt's lock for so long; it is held when this returns."""
    machine.run(["systemd-run", f"--unit={UNIT}", "--collect", "python3", "-c", HOLD, str(seconds)])
    deadline = time.monotonic() + TAKEN_SECONDS
    while machine.run(["python3", "-c", LOOK], check=False).returncode == 0:
        if time.monotonic() > deadline:
            log = machine.run(["journalctl", "--unit", UNIT, "--no-pager"], check=False).stdout
            raise LocalError(f"nothing holds {LOCK} on {machine.name} after {TAKEN_SECONDS:.0f} s:\n{log}")
        time.sleep(0.05)


def wait_for_refusal(machine: Machine) -> None:
    """Wait until somebody has tried to install something and could not; LocalError when nobody tries."""
    deadline = time.monotonic() + REFUSED_SECONDS
    for tries in (True, False):
        while (
            "install" in machine.run(["pgrep", "--list-full", "--exact", "apt-get"], check=False).stdout
        ) is not tries:
            if time.monotonic() > deadline:
                log = machine.run(["ps", "-eo", "args"]).stdout
                raise LocalError(f"nobody was refused by apt of {machine.name}; there run:\n{log}")
            time.sleep(0.02)


def release(machine: Machine) -> None:
    """Let the service end before its time."""
    machine.run(["systemctl", "stop", UNIT])
