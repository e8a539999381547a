"""The machine's own rules, and how they come into force and stay there; that the kernel obeys is the engine tier's."""

import dataclasses
import subprocess
from pathlib import Path

import pytest

from components.machines import firewall, unit
from components.machines.firewall import render_firewall
from tests.unit import golden
from tests.unit.machines.conftest import RULES
from tests.unit.machines.fake_machine import FakeMachine

GOLDEN = Path(__file__).with_name("golden")
BEHIND_A_CLOUD = dataclasses.replace(RULES, admins=None, private="10.0.0.0/16")
UFW = "/etc/ufw/ufw.conf"


@pytest.mark.parametrize(
    ("name", "rules"), [("firewall.nft", RULES), ("firewall-behind-a-cloud.nft", BEHIND_A_CLOUD)], ids=["own", "cloud"]
)
def test_the_rules_are_the_reviewed(name: str, rules: firewall.FirewallArgs) -> None:
    golden.check(GOLDEN / name, render_firewall(rules))


@pytest.mark.parametrize("rules", [RULES, BEHIND_A_CLOUD], ids=["own", "cloud"])
def test_what_comes_back_to_a_pod_is_let_in_at_whichever_port(rules: firewall.FirewallArgs) -> None:
    """Flannel gives a pod's connection any port of the node: one of 23 would hang."""
    chain = render_firewall(rules).partition("chain node_ports {")[2].splitlines()
    decides = [line.strip() for line in chain if line.strip().endswith(("accept", "drop", "accept;"))]
    assert decides[0] == "type filter hook prerouting priority -110; policy accept;"
    assert decides[1] == "ct state established,related accept", "connections are tracked from -200 on"


def test_node_ports_answer_strangers_at_no_address_of_the_machine() -> None:
    """One of which the settings know nothing is reached as well, and the machine talks to itself as before."""
    chain = render_firewall(RULES).partition("chain node_ports {")[2]
    assert "fib daddr type local meta l4proto { tcp, udp } th dport 30000-32767 drop" in chain
    assert chain.index('iifname "lo" accept') < chain.index("drop")


def close(machine: FakeMachine) -> subprocess.CompletedProcess[str]:
    call = f'mkdir -p "$STATE"; close_ports {firewall.FILE} ""'
    return machine.function(["report", "place", "firewall"], call)


def test_the_rules_are_in_force_now_and_at_each_start_and_somebody_looks_after_them(machine: FakeMachine) -> None:
    done = close(machine)
    assert done.returncode == 0, done.stderr
    assert f"nft --file {machine.path(firewall.FILE)}" in machine.calls("nft")
    calls = machine.calls("systemctl")
    assert "systemctl --quiet enable rakazo-firewall" in calls
    assert calls[-1] == "systemctl --quiet enable --now rakazo-firewall-keep.timer"
    for path in (unit.FIREWALL, unit.KEEPER, unit.TIMER):
        assert machine.path(path).exists()


def test_they_come_after_those_who_begin_with_taking_everybodys_rules_away() -> None:
    text = unit.render_firewall_unit()
    assert "After=local-fs.target nftables.service netfilter-persistent.service\n" in text
    assert "Before=network-pre.target shutdown.target\n" in text


def kept(machine: FakeMachine) -> list[str]:
    """Take one look as systemd would; return the calls of nft."""
    (line,) = [line for line in unit.render_keeper().splitlines() if line.startswith("ExecStart=")]
    command = line.removeprefix("ExecStart=").replace("/usr/sbin/nft", "nft")
    assert machine.shell(command).returncode == 0
    return machine.calls("nft")


def test_rules_that_somebody_flushed_come_back_and_others_are_left_alone(machine: FakeMachine) -> None:
    """`systemctl restart nftables` flushes everybody's."""
    look = f"nft list table inet {firewall.TABLE}"
    assert kept(machine) == [look]
    machine.forget_calls()
    machine.program("nft", 'case "$*" in list*) exit 1 ;; esac')
    assert kept(machine) == [look, f"nft --file {firewall.FILE}"]


def test_one_look_comes_after_the_other() -> None:
    assert "RemainAfterExit" not in unit.render_keeper(), "a timer starts only what has ended"
    assert f"OnUnitActiveSec={unit.KEEP_SECONDS}\n" in unit.render_timer()
    assert unit.TIMER.removesuffix(".timer") == unit.KEEPER.removesuffix(".service"), "one starts the other"


@pytest.mark.parametrize(
    ("enabled", "installed", "refused"), [("yes", True, True), ("no", True, False), ("yes", False, False)]
)
def test_a_ufw_that_is_switched_on_is_refused(
    machine: FakeMachine, enabled: str, installed: bool, refused: bool
) -> None:
    """Its unit is active on every Ubuntu, and says nothing."""
    machine.program("systemctl", 'case "$*" in *firewalld) exit 3 ;; esac')
    machine.write(UFW, f"# comment\nENABLED={enabled}\nLOGLEVEL=low\n")
    if installed:
        machine.write("/usr/sbin/ufw", "").chmod(0o755)
    done = close(machine)
    assert done.returncode == (1 if refused else 0), done.stderr
    assert ("Write: ufw disable\n" in done.stderr) is refused
    assert machine.path(firewall.FILE).exists() is not refused


def test_a_firewalld_that_runs_is_refused(machine: FakeMachine) -> None:
    machine.program("systemctl", "")
    assert "Write: systemctl disable --now firewalld\n" in close(machine).stderr
    assert not machine.path(firewall.FILE).exists()
