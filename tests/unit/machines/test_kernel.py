"""Limits of the kernel that many pods run into."""

import subprocess

from components.machines import kernel
from components.machines.file import File
from components.machines.preparation import preparation_files
from tests.unit.machines.conftest import RULES
from tests.unit.machines.fake_machine import FakeMachine

INSTANCES = "/proc/sys/fs/inotify/max_user_instances"


def rise(machine: FakeMachine) -> subprocess.CompletedProcess[str]:
    machine.write(kernel.FILE, kernel.render_limits())
    return machine.function(["report", "kernel"], f'raise_limits "$ROOT{kernel.FILE}"')


def test_limits_are_far_above_what_the_kernel_begins_with() -> None:
    """B044: at 128 instances some sixty pods are the end of `kubectl logs --follow`."""
    assert kernel.LIMITS["fs.inotify.max_user_instances"] >= 1024
    assert kernel.LIMITS["fs.inotify.max_user_watches"] >= 524288


def test_they_are_set_now_and_at_every_start(machine: FakeMachine) -> None:
    """B044: the file is for systemd, which reads it before k3s runs."""
    assert rise(machine).returncode == 0
    assert machine.text(INSTANCES) == "8192\n"
    placed = {file.path: file for file in preparation_files(RULES)}
    assert placed[f"staged/prepare{kernel.FILE}"] == File(
        path=f"staged/prepare{kernel.FILE}", content=kernel.render_limits()
    )


def test_a_value_that_is_higher_already_stays(machine: FakeMachine) -> None:
    machine.write(INSTANCES, "65536\n")
    assert rise(machine).returncode == 0
    assert machine.text(INSTANCES) == "65536\n"


def test_a_container_that_may_not_raise_them_says_so(machine: FakeMachine) -> None:
    machine.program("cat", 'case "$1" in */max_user_instances) echo 128 ;; *) exec /bin/cat "$@" ;; esac')
    done = rise(machine)
    assert done.returncode != 0
    assert "fs.inotify.max_user_instances is 128 and cannot be raised to 8192" in done.stderr


def test_a_kernel_without_the_limit_is_told(machine: FakeMachine) -> None:
    machine.path(INSTANCES).unlink()
    assert "its kernel has no fs.inotify.max_user_instances" in rise(machine).stderr
