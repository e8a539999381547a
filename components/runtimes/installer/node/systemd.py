"""The node's service manager, asked to start containerd anew."""

import time

from .bus import Bus, BusError
from .node_error import NodeError

SOCKET = "run/systemd/private"
"""Below the node's root."""
UNIT = "containerd.service"
SECONDS = 90.0
POLL_SECONDS = 0.2
_NAME = "org.freedesktop.systemd1"
_MANAGER = f"{_NAME}.Manager"
_ROOT = "/org/freedesktop/systemd1"
_PROPERTIES = "org.freedesktop.DBus.Properties"


def restart(socket: str, unit: str = UNIT, seconds: float = SECONDS) -> None:
    """Start a unit anew and return when it runs; NodeError says why it does not. Pods live on: their shims do."""
    deadline = time.monotonic() + seconds
    try:
        bus = Bus(socket, seconds)
    except OSError as error:
        raise NodeError(f"systemd cannot be asked to start {unit} anew: {error}") from error
    try:
        (job,) = bus.call(_NAME, _ROOT, _MANAGER, "RestartUnit", [unit, "replace"])
        while _property(bus, job, f"{_NAME}.Job", "State") is not None:
            _wait(unit, deadline, "its restart has not ended")
        (path,) = bus.call(_NAME, _ROOT, _MANAGER, "GetUnit", [unit])
        while (state := _property(bus, path, f"{_NAME}.Unit", "ActiveState")) != "active":
            _wait(unit, deadline, f"it is {state}; on the node, journalctl -u {unit} says why")
    except BusError as error:
        raise NodeError(f"systemd does not start {unit} anew: {': '.join(map(str, error.args))}") from error
    except OSError as error:
        raise NodeError(f"systemd stopped answering while {unit} was started anew: {error}") from error
    finally:
        bus.close()


def _property(bus: Bus, path: str, interface: str, name: str) -> str | None:
    """Return a property; None when its object is gone, which a job is that has ended."""
    try:
        (value,) = bus.call(_NAME, path, _PROPERTIES, "Get", [interface, name])
    except BusError as error:
        if str(error.args[0]).endswith((".UnknownObject", ".UnknownMethod", ".NoSuchJob")):
            return None
        raise
    return value


def _wait(unit: str, deadline: float, why: str) -> None:
    if time.monotonic() > deadline:
        raise NodeError(f"{unit} does not run: {why}")
    time.sleep(POLL_SECONDS)
