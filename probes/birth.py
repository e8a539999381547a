"""How long a new computer can reach what it must not, counted from its first instruction."""

import json
from dataclasses import dataclass

# Counts in the container's own process, so that no exec and no wait comes before the first attempt.
_PROGRAM = """
import json, signal, socket, sys, time
address, port, seconds = json.loads(sys.argv[1])
start, opened, last = time.monotonic(), 0, 0.0
while time.monotonic() - start < seconds:
    try:
        socket.create_connection((address, port), 0.2).close()
        opened, last = opened + 1, time.monotonic() - start
    except OSError:
        pass
    time.sleep(0.02)
print("birth " + json.dumps({"opened": opened, "last": last}), flush=True)
signal.pause()
"""


@dataclass(frozen=True, kw_only=True)
class Window:
    """What one computer reached in its first seconds."""

    opened: int
    """Connections that succeeded."""
    last: float
    """Seconds from the first instruction to the last success; 0 when there was none."""


def command(address: str, port: int, seconds: float) -> list[str]:
    """Return the container's command: it tries for `seconds`, prints one line, and stays."""
    return ["python3", "-c", _PROGRAM, json.dumps([address, port, seconds])]


def window(log: str) -> Window | None:
    """Return what the container printed, or None while it has not finished counting."""
    for line in log.splitlines():
        if line.startswith("birth "):
            return Window(**json.loads(line.removeprefix("birth ")))
    return None


def fault(windows: list[Window]) -> str | None:
    """Return what is wrong, or None when no computer reached anything; ValueError without a measurement."""
    if not windows:
        raise ValueError("no new computer was measured, so nothing is known of its first seconds")
    reached = [each for each in windows if each.opened]
    if not reached:
        return None
    return (
        f"{len(reached)} of {len(windows)} new computers reached a blocked address before their policy was "
        f"in force: {sum(each.opened for each in reached)} connections, the last "
        f"{max(each.last for each in reached):.2f} s after the first instruction; "
        "is the mutating admission policy that waits for the policy in place?"
    )
