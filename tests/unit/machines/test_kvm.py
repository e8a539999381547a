"""Whether computers can have virtual machines on a machine; limit: a file stands for the device here."""

import pytest

from components.machines.preparation import preparation_files
from components.machines.variables import render_variables
from tests.unit.machines.conftest import RULES, variables
from tests.unit.machines.fake_machine import FakeMachine
from tests.unit.machines.mirror import Mirror

DEVICES = ("kvm", "vhost-vsock", "vhost-net")


@pytest.fixture
def host(machine: FakeMachine, mirror: Mirror) -> FakeMachine:
    """A machine that is to run computers in virtual machines, and can."""
    values = variables(mirror.url) | {"NEEDS_KVM": "yes"}
    machine.deliver([render_variables(values), *preparation_files(RULES)])
    for device in DEVICES:
        machine.write(f"/dev/{device}", "")
    return machine


def test_a_machine_with_virtualization_is_taken(host: FakeMachine) -> None:
    done = host.step("prepare", "digest")
    assert done.returncode == 0, done.stderr
    assert "modprobe vhost_vsock" in host.calls("modprobe")


def test_without_virtualization_nothing_is_done_and_both_ways_out_are_told(host: FakeMachine) -> None:
    """B053: known before the first pod fails, and before the machine is anybody's."""
    host.path("/dev/kvm").unlink()
    done = host.step("prepare", "digest")
    assert done.returncode == 1
    assert done.stderr.startswith("error on rakazo-1: its /dev/kvm does not open")
    assert "nested virtualization in its host" in done.stderr
    assert "write runtime: {kind: gvisor}" in done.stderr
    assert not host.path("/dev/kvm").exists(), "the look itself made a file in the device's place"
    assert not host.path("/var/lib/rakazo-infra/stack").exists()
    assert host.calls("nft") == []


def test_a_device_that_does_not_open_is_none(host: FakeMachine) -> None:
    """A folder opens for nobody to write, whoever asks."""
    host.path("/dev/kvm").unlink()
    host.path("/dev/kvm").mkdir()
    assert "its /dev/kvm does not open" in host.step("prepare", "digest").stderr


@pytest.mark.parametrize(("device", "module"), [("vhost-vsock", "vhost_vsock"), ("vhost-net", "vhost_net")])
def test_a_kernel_without_a_way_to_its_guests_is_refused_by_the_modules_name(
    host: FakeMachine, device: str, module: str
) -> None:
    host.path(f"/dev/{device}").unlink()
    done = host.step("prepare", "digest")
    assert done.returncode == 1
    assert f"its kernel has no {module}" in done.stderr


def test_a_module_that_comes_when_it_is_asked_for_is_there(host: FakeMachine) -> None:
    host.path("/dev/vhost-net").unlink()
    host.program("modprobe", f'[ "$1" != vhost_net ] || touch "{host.path("/dev/vhost-net")}"')
    assert host.step("prepare", "digest").returncode == 0


def test_a_machine_that_needs_none_is_not_asked(machine: FakeMachine) -> None:
    assert machine.step("prepare", "digest").returncode == 0
    assert [call for call in machine.calls("modprobe") if "kvm" in call] == []
