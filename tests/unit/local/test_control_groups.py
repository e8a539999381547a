"""Control groups on a pretended file system: what kernel files do by themselves is written by the test."""

import signal
import subprocess
from pathlib import Path

import pytest

from local.failure import LocalError
from local.machines import control_groups


@pytest.fixture
def version_one(tmp_path: Path) -> Path:
    for name in ("cpu", "cpuset", "memory", "pids", "unified"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cgroup.procs").touch()
    (tmp_path / "cpuset" / "cpuset.cpus").write_text("0-1\n")
    (tmp_path / "unified" / "cgroup.controllers").touch()
    return tmp_path


def test_a_group_is_made_in_every_version_one_hierarchy(version_one: Path) -> None:
    control_groups.make("rakazo-1/system", version_one)
    made = {path.name for path in version_one.iterdir() if (path / "rakazo-1" / "system").is_dir()}
    assert made == {"cpu", "cpuset", "memory", "pids"}


def test_removing_a_group_also_takes_what_a_runtime_made_in_the_unified_tree(version_one: Path) -> None:
    control_groups.make("rakazo-1/system", version_one)
    (version_one / "unified" / "rakazo-1" / "pod").mkdir(parents=True)
    (version_one / "cpu" / "other").mkdir()
    control_groups.remove("rakazo-1", version_one)
    assert control_groups.existing("rakazo-1", version_one) == []
    assert (version_one / "cpu" / "other").is_dir()


def test_a_group_that_is_still_in_use_is_named_with_its_processes(version_one: Path) -> None:
    control_groups.make("rakazo-1", version_one)
    (version_one / "cpu" / "rakazo-1" / "cgroup.procs").write_text("4711\n")
    with pytest.raises(LocalError, match="4711"):
        control_groups.remove("rakazo-1", version_one, deadline_seconds=0.0)


def test_unrecorded_members_of_a_group_are_ended_and_other_processes_are_not(version_one: Path) -> None:
    control_groups.make("rakazo-1/system/machine", version_one)
    member, stranger = subprocess.Popen(["sleep", "60"]), subprocess.Popen(["sleep", "60"])
    try:
        control_groups.membership_file("rakazo-1/system/machine", version_one).write_text(f"{member.pid}\n")
        control_groups.end_processes("rakazo-1", version_one)
        assert member.wait(5) == -signal.SIGKILL
        assert stranger.poll() is None
    finally:
        for process in (member, stranger):
            process.kill()
            process.wait()


def test_a_missing_hierarchy_is_named_with_the_way_out(tmp_path: Path) -> None:
    for name in ("cpu", "cpuset", "memory"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cgroup.procs").touch()
    with pytest.raises(LocalError, match=r"no pids hierarchy.*existing"):
        control_groups.make("rakazo-1", tmp_path)


def test_version_two_hands_the_controllers_down_to_the_node(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").touch()
    control_groups.make("rakazo-1/system", tmp_path)
    assert (tmp_path / "rakazo-1" / "system").is_dir()
    assert (tmp_path / "rakazo-1" / "cgroup.subtree_control").read_text().startswith("+")
