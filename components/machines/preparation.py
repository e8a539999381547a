"""What prepares a machine to be a node: its scripts, and the files that they put in place."""

from pathlib import Path

from components.machines import firewall, kernel, unit
from components.machines.file import File, script, staged
from components.machines.firewall import FirewallArgs, render_firewall

SCRIPTS = Path(__file__).with_name("scripts")
SHARED = ("report", "place", "download", "packages", "clock", "kernel", "firewall", "kvm")
"""Read by the steps, never run."""
STEP = "prepare"
INTERFACE = "/usr/local/sbin/rakazo-interface"
INTERFACE_SECONDS = 300
"""For an interface to get its address: clouds attach private ones when the machine runs already."""


def preparation_files(rules: FirewallArgs) -> list[File]:
    """Return the scripts that every step shares, the step itself, and what it places."""
    return [
        *(script(SCRIPTS, name, mode="644") for name in SHARED),
        script(SCRIPTS, STEP),
        *staged(
            STEP,
            [
                script(SCRIPTS, "interface", path=INTERFACE),
                File(path=firewall.FILE, content=render_firewall(rules)),
                File(path=unit.FIREWALL, content=unit.render_firewall_unit()),
                File(path=unit.KEEPER, content=unit.render_keeper()),
                File(path=unit.TIMER, content=unit.render_timer()),
                File(path=kernel.FILE, content=kernel.render_limits()),
            ],
        ),
    ]
