"""Whether a machine knows the time."""

import subprocess

import pytest

from tests.unit.machines.fake_machine import FakeMachine
from tests.unit.machines.mirror import Mirror

OLD = "Wed, 01 Jan 2025 00:00:00 GMT"


def check(machine: FakeMachine, mirror: Mirror) -> subprocess.CompletedProcess[str]:
    return machine.function(["report", "clock"], f'check_clock "{mirror.url}"')


def test_a_clock_in_step_is_left_alone(machine: FakeMachine, mirror: Mirror) -> None:
    assert check(machine, mirror).returncode == 0
    assert machine.calls("timedatectl") == ["timedatectl show --property NTPSynchronized --value"]


def test_a_new_machine_is_waited_for(machine: FakeMachine, mirror: Mirror) -> None:
    machine.program("timedatectl", 'case "$*" in show*) [ $(grep -c show "$CALLS") -lt 4 ] || echo yes ;; esac')
    assert check(machine, mirror).returncode == 0
    assert "timedatectl set-ntp true" in machine.calls("timedatectl")


def test_a_machine_without_a_time_service_is_told_which_to_install(machine: FakeMachine, mirror: Mirror) -> None:
    machine.program("timedatectl", 'case "$*" in set-ntp*) exit 1 ;; *) echo no ;; esac')
    done = check(machine, mirror)
    assert done.returncode == 1
    assert "nothing keeps its clock in step; install a time service (apt-get install systemd-timesyncd)" in done.stderr


def test_a_time_server_that_is_out_of_reach_is_told_with_what_the_service_says(
    machine: FakeMachine, mirror: Mirror
) -> None:
    machine.program("timedatectl", 'case "$*" in timesync-status) echo "Server: n/a" ;; *) echo no ;; esac')
    machine.patience = 0
    done = check(machine, mirror)
    assert done.returncode == 1
    assert "Server: n/a" in done.stderr
    assert "not synchronised within 0 s; let it reach a time server (UDP port 123)" in done.stderr


def test_in_a_container_the_host_keeps_the_clock(machine: FakeMachine, mirror: Mirror) -> None:
    machine.program("systemd-detect-virt", "exit 0")
    machine.program("timedatectl", "exit 1")
    assert check(machine, mirror).returncode == 0


def test_a_clock_that_is_far_off_the_mirrors_is_refused(machine: FakeMachine, mirror: Mirror) -> None:
    """A certificate made with it would not be valid yet anywhere else."""
    mirror.date = OLD
    done = check(machine, mirror)
    assert done.returncode == 1
    assert "s ahead of the mirror's, the limit is 60 s; set it right (timedatectl)" in done.stderr


def test_a_mirror_without_a_clock_proves_nothing_and_stops_nothing(machine: FakeMachine) -> None:
    """What is wrong with it is the download's to say."""
    done = machine.function(["report", "clock"], "check_clock http://127.0.0.1:1")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("seconds", [40, -40])
def test_a_few_seconds_are_nobodys_business(machine: FakeMachine, mirror: Mirror, seconds: int) -> None:
    machine.program(
        "date", f'case "$1" in --date) echo $(( $(/bin/date +%s) + {seconds} )) ;; *) /bin/date "$@" ;; esac'
    )
    assert check(machine, mirror).returncode == 0
