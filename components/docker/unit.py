"""The unit of systemd that runs the project."""

from components.docker import egress
from components.machines.file import LIBRARY

PATH = "/etc/systemd/system/rakazo.service"
STOP_SECONDS = 60
"""For a service to end when the machine does; a job of worker's that does not is taken over after the next start."""
START_SECONDS = 3000
"""At most, for a start: 15 minutes until another run has ended, 25 in which a change that was killed is taken back."""


def render_unit() -> str:
    """Return the unit: after a start of the machine everything comes back in its order, behind the egress rules.

    Rules that somebody took away meanwhile come back first: for a look alone Rakazo would stay down.

    It is part of nothing: a restart of Docker leaves containers running and must not stop them through this unit.
    """
    return f"""# Written by rakazo-infra.
[Unit]
Description=Rakazo (Docker Compose)
Wants=docker.service {egress.UNIT_NAME} network-online.target
After=docker.service {egress.UNIT_NAME} network-online.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStartPre={egress.SCRIPT} keep
ExecStart={LIBRARY}/start
ExecStop={LIBRARY}/stop
TimeoutStartSec={START_SECONDS}
TimeoutStopSec={5 * STOP_SECONDS}

[Install]
WantedBy=multi-user.target
"""
