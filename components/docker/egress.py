"""What computers must not reach from a machine with Docker: rules of the machine's own, older than any computer."""

from collections.abc import Iterable
from pathlib import Path

from components.machines import unit
from components.machines.file import File, script
from probes.claims.metadata import METADATA_SERVICES
from probes.docker.claims import rules

SCRIPTS = Path(__file__).with_name("scripts")
SCRIPT = rules.SCRIPT
UNIT_NAME = rules.UNIT_NAME
RANGES = "/etc/rakazo-infra/egress.ranges"
UNIT = f"/etc/systemd/system/{UNIT_NAME}"
KEEPER = "/etc/systemd/system/rakazo-egress-keep.service"
TIMER = f"/etc/systemd/system/{rules.TIMER_NAME}"
COMPUTERS = "rakazo-c+"
"""Bridges of computers, as iptables writes a pattern: Rakazo's supervisor names each so, and seven digits after it."""
EVERYBODY = "rakazo-+"
"""Every bridge of the stack: the application's begin so as well."""


def egress_files(denied: Iterable[str]) -> list[File]:
    """Return the script, its ranges and its units, at their places; `denied` is CIDR text of both families."""
    return [
        script(SCRIPTS, "egress", path=SCRIPT),
        File(path=RANGES, content=render_ranges(denied)),
        File(path=UNIT, content=render_unit()),
        File(path=KEEPER, content=render_keeper()),
        File(path=TIMER, content=render_timer()),
    ]


def render_ranges(denied: Iterable[str]) -> str:
    """Return a line per rule: whose bridges, and the range that nobody behind them may reach.

    A cloud's metadata service is nobody's business in the application either: what web or api can be talked into
    would fetch the machine's identity.
    """
    metadata = [f"{each.address}/{32 if '.' in each.address else 128}" for each in METADATA_SERVICES]
    lines = [f"{EVERYBODY} {each}" for each in metadata] + [f"{COMPUTERS} {each}" for each in denied]
    return "".join(f"{line}\n" for line in lines)


def render_unit() -> str:
    """Return the unit. The rules are in force before Docker starts anything, at the machine's start and at its own.

    After the network, from which the machine has its resolvers.

    It has no command for its end: what Docker left running while it restarts must find the rules where they were.
    """
    return f"""# Written by rakazo-infra.
[Unit]
Description=What Rakazo's computers must not reach
Before={rules.DOCKER_UNIT}
PartOf={rules.DOCKER_UNIT}
Wants=network-online.target
After=network-online.target nftables.service netfilter-persistent.service ufw.service firewalld.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart={SCRIPT} apply

[Install]
WantedBy={rules.DOCKER_UNIT}
"""


def render_keeper() -> str:
    """Return the unit of one look: rules that somebody flushed meanwhile come back."""
    return f"""# Written by rakazo-infra.
[Unit]
Description=Whether what holds Rakazo's computers back is still there
After={rules.UNIT_NAME}

[Service]
Type=oneshot
ExecStart={SCRIPT} keep
"""


def render_timer() -> str:
    """Return the timer of the looks."""
    return unit.render_timer("What holds Rakazo's computers back")
