"""Missing programs, and an apt that somebody else holds."""

from tests.unit.machines.fake_machine import FakeMachine

PARTS = ["report", "packages"]
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (unattended-upgr)"


def test_a_machine_that_has_everything_never_calls_apt(machine: FakeMachine) -> None:
    assert machine.function(PARTS, "need_programs sh=dash cat=coreutils").returncode == 0
    assert machine.calls("apt-get") == []


def test_only_what_is_missing_is_installed(machine: FakeMachine) -> None:
    done = machine.function(PARTS, "need_programs sh=dash rakazo-missing=bzip2 rakazo-absent=nftables")
    assert done.returncode == 0, done.stderr
    assert machine.calls("apt-get") == [
        "apt-get --quiet --yes update",
        "apt-get --quiet --yes install --no-install-recommends bzip2 nftables",
    ]


def test_it_waits_until_another_apt_has_ended(machine: FakeMachine) -> None:
    tries = f"[ $(grep -c . \"$CALLS\") -gt 3 ] || {{ echo '{LOCKED}' >&2; exit 100; }}"
    machine.program("apt-get", tries)
    done = machine.function(PARTS, "need_programs rakazo-missing=bzip2")
    assert done.returncode == 0, done.stderr
    assert len(machine.calls("apt-get --quiet --yes update")) == 4


def test_an_apt_that_never_ends_is_told_with_who_holds_it(machine: FakeMachine) -> None:
    machine.program("apt-get", f"echo '{LOCKED}' >&2; exit 100")
    machine.patience = 0
    done = machine.function(PARTS, "need_programs rakazo-missing=bzip2")
    assert done.returncode == 1
    assert "apt has been busy for 0 s" in done.stderr
    assert "held by process 812 (unattended-upgr)" in done.stderr


def test_any_other_failure_of_apt_is_told_at_once(machine: FakeMachine) -> None:
    machine.program("apt-get", "echo 'E: Unable to locate package bzip2' >&2; exit 100")
    done = machine.function(PARTS, "need_programs rakazo-missing=bzip2")
    assert "apt-get update failed: E: Unable to locate package bzip2" in done.stderr
    assert len(machine.calls("apt-get")) == 1


def test_without_apt_the_packages_are_named(machine: FakeMachine) -> None:
    done = machine.function(
        PARTS, 'command() { [ "$2" != apt-get ] && [ "$2" != rakazo-missing ]; }; need_programs rakazo-missing=bzip2'
    )
    assert "these are missing, and there is no apt to install them with: bzip2" in done.stderr
