"""How long a new computer can reach what it must not, counted from its first instruction."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

# Counts in the container's own process, so that no exec and no wait comes before the first attempt. One thread per
# address: what drops packets in one family must not slow down the other.
_PROGRAM = """
import json, signal, socket, sys, threading, time
start = time.monotonic()
targets, seconds, enough = json.loads(sys.argv[1])
found = [{"attempts": 0, "opened": 0, "last": 0.0} for _ in targets]
def count(target, seen):
    while time.monotonic() - start < seconds and seen["opened"] != enough:
        seen["attempts"] += 1
        try:
            socket.create_connection(tuple(target), 0.2).close()
            seen["opened"] += 1
            seen["last"] = time.monotonic() - start
        except OSError:
            pass
        time.sleep(0.02)
threads = [threading.Thread(target=count, args=pair) for pair in zip(targets, found)]
for each in threads: each.start()
for each in threads: each.join()
print("birth " + json.dumps(found), flush=True)
signal.pause()
"""
_WAITED = re.compile(r"network policies are in force after ([0-9.]+) s")


@dataclass(frozen=True, kw_only=True)
class Window:
    """What one computer reached of one address in its first seconds."""

    attempts: int
    """Connections that it tried: without one, none that opened proves nothing."""
    opened: int
    """Connections that succeeded."""
    last: float
    """Seconds from the first instruction to the last success; 0 when there was none."""


@dataclass(frozen=True, kw_only=True)
class Birth:
    """One new computer."""

    windows: tuple[Window, ...]
    """One per address, in the order in which they were given."""
    waited: float | None
    """Seconds for which it was held back until its policies were in force; None when nothing held it back."""
    started: float
    """Seconds from its creation to its first program, as Kubernetes writes them: whole ones."""


def command(targets: Sequence[tuple[str, int]], seconds: float, enough: int | None = None) -> list[str]:
    """Return the container's command: it tries each address and port for `seconds`, prints one line, and stays.

    An address that gave `enough` connections is left alone.
    """
    return ["python3", "-c", _PROGRAM, json.dumps([targets, seconds, enough])]


def windows(log: str) -> tuple[Window, ...] | None:
    """Return what the container printed, or None while it has not finished counting."""
    for line in log.splitlines():
        if line.startswith("birth "):
            return tuple(Window(**each) for each in json.loads(line.removeprefix("birth ")))
    return None


def waited(log: str) -> float | None:
    """Return the seconds that the wait in front of a computer printed; None when it printed none."""
    match = _WAITED.search(log)
    return float(match[1]) if match else None


def told(found: Sequence[Window]) -> str:
    """Return what several computers reached of one address, in one line; ValueError when nobody was measured."""
    if not found:
        raise ValueError("no new computer was measured, so nothing is known of its first seconds")
    reached = [each for each in found if each.opened]
    tried = f"{sum(each.attempts for each in found)} attempts"
    if not reached:
        return f"{tried}, no connection"
    return (
        f"{tried}, {sum(each.opened for each in reached)} connections of {len(reached)} computers, the last "
        f"{max(each.last for each in reached):.2f} s after the first instruction"
    )


def closed(found: Sequence[Window]) -> bool:
    """Return whether every computer tried and none got through; ValueError when one never tried."""
    if not found or not all(each.attempts for each in found):
        raise ValueError("a new computer tried no connection, so nothing is known of its first seconds")
    return not any(each.opened for each in found)
