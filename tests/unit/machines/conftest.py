"""A machine and a mirror for the scripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from components.machines.firewall import FirewallArgs
from components.machines.preparation import preparation_files
from components.machines.variables import render_variables
from tests.unit.machines import mirror as mirrors
from tests.unit.machines.fake_machine import FakeMachine
from tests.unit.machines.mirror import Mirror

RULES = FirewallArgs(
    pods="10.42.0.0/16",
    kubernetes_service="10.43.0.1",
    nodes=["203.0.113.10/32", "10.0.1.11/32"],
    ssh_port=22,
    admins=["198.51.100.0/24", "2001:db8:7::/48"],
)


def variables(mirror: str) -> dict[str, str]:
    return {
        "STACK": "test",
        "MACHINE_NAME": "rakazo-1",
        "NODE_ADDRESS": "10.0.1.11",
        "INTERFACE_PATIENCE": "1",
        "AWAITS_CLOUD_INIT": "no",
        "NEEDS_KVM": "no",
        "NEEDS_WIREGUARD": "no",
        "MIRROR": mirror,
    }


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    with mirrors.running() as served:
        yield served


@pytest.fixture
def machine(tmp_path: Path, mirror: Mirror) -> FakeMachine:
    """A machine that has everything, and to which the preparation was delivered."""
    made = FakeMachine(tmp_path)
    made.deliver([render_variables(variables(mirror.url)), *preparation_files(RULES)])
    made.program("uname", 'if [ "$1" = -m ]; then echo x86_64; else echo 6.1.0-28-amd64; fi')
    made.program("ip", "echo '2: enp7s0    inet 10.0.1.11/32 brd 10.0.1.11 scope global dynamic enp7s0'")
    made.program("systemctl", 'case "$*" in "is-active --quiet "*) exit 3 ;; esac')
    made.program("systemd-detect-virt", "exit 1")
    made.program("timedatectl", "echo yes")
    for name in ("max_user_instances", "max_user_watches"):
        made.write(f"/proc/sys/fs/inotify/{name}", "128\n")
    return made
