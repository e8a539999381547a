"""Which interface k3s uses: found by its address, whatever it is called and whenever it comes."""

import subprocess

import pytest

from components.machines.preparation import SCRIPTS
from tests.unit.machines.fake_machine import FakeMachine

FILE = "/etc/rancher/k3s/config.yaml.d/20-interface.yaml"
PUBLIC = "1: eth0    inet 203.0.113.10/32 scope global eth0"


def find(machine: FakeMachine, address: str = "10.0.1.11", seconds: str = "20") -> subprocess.CompletedProcess[str]:
    return machine._run(["dash", str(SCRIPTS / "interface"), address, seconds], check=False, stdin="")


def has(machine: FakeMachine, name: str, *, after: int = 0) -> None:
    """Let the interface appear after so many looks."""
    late = f"2: {name}    inet 10.0.1.11/32 brd 10.0.1.11 scope global dynamic {name}"
    machine.program("ip", f"echo '{PUBLIC}'; [ $(grep -c '^ip' \"$CALLS\") -le {after} ] || echo '{late}'")


@pytest.mark.parametrize("name", ["enp7s0", "eth1", "ens10"])
def test_the_name_follows_from_the_address(machine: FakeMachine, name: str) -> None:
    """B028: names differ by type of machine and by the order in which interfaces are attached."""
    has(machine, name)
    done = find(machine)
    assert (done.returncode, done.stdout) == (0, f"{name}\n")
    assert machine.text(FILE) == f"flannel-iface: {name}\n"


def test_an_interface_that_is_attached_later_is_waited_for(machine: FakeMachine) -> None:
    """B028: k3s that starts before it gives up with `failed to find IPv4 address for interface`."""
    has(machine, "enp7s0", after=4)
    assert find(machine).returncode == 0
    assert len(machine.calls("ip")) == 5


def test_one_that_never_comes_is_an_error_and_leaves_no_guess(machine: FakeMachine) -> None:
    """B028: and never the public one in its place."""
    machine.program("ip", f"echo '{PUBLIC}'")
    done = find(machine, seconds="0")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "no interface has 10.0.1.11\n")
    assert not machine.path(FILE).exists()


@pytest.mark.parametrize("address", ["10.0.1.1", "0.0.1.11", "10.0.1.110"])
def test_a_part_of_an_address_is_another_address(machine: FakeMachine, address: str) -> None:
    has(machine, "enp7s0")
    assert find(machine, address, "0").returncode == 1


def test_another_name_after_a_restart_is_told_to_k3s(machine: FakeMachine) -> None:
    machine.write(FILE, "flannel-iface: ens10\n")
    has(machine, "enp7s0")
    find(machine)
    assert machine.text(FILE) == "flannel-iface: enp7s0\n"
