"""A probe of the table as Compose has it: a program inside the container."""

from typing import Any

from components.service import CommandProbe, HttpProbe, Probe, Service, TcpProbe

TIMEOUT_SECONDS = 5
"""As in a cluster."""
EVERY_START_SECONDS = 1


def render_health(service: Service, address: str = "127.0.0.1") -> dict[str, Any] | None:
    """Return how a service is looked at, at the address on which it listens; None: its running is all there is to see.

    Docker restarts nobody who is not well, so the probe that counts is the one that lets others in.
    """
    probe = service.readiness
    if probe is None:
        return None
    start = service.startup or probe
    return {
        "test": ["CMD", *_command(probe, address)],
        "interval": f"{probe.period_seconds}s",
        "timeout": f"{TIMEOUT_SECONDS}s",
        "retries": probe.failures,
        "start_period": f"{start.period_seconds * start.failures}s",
        "start_interval": f"{EVERY_START_SECONDS}s",
    }


def _command(probe: Probe, address: str) -> list[str]:
    """Return the program. No image has curl; each that listens has bash."""
    match probe:
        case HttpProbe():
            asked = f"GET {probe.path} HTTP/1.0\\r\\nHost: {address}\\r\\n\\r\\n"
            answered = "read -r _ status _ <&3 && [[ $$status == [23]?? ]]"
            return ["bash", "-c", f"exec 3<>/dev/tcp/{address}/{probe.port} && printf '{asked}' >&3 && {answered}"]
        case TcpProbe():
            return ["bash", "-c", f"exec 3<>/dev/tcp/{address}/{probe.port}"]
        case CommandProbe():
            return list(probe.command)
