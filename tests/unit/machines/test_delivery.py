"""How files reach a machine."""

import shlex
import subprocess

import pytest

from components.machines.file import File, digest, render_delivery
from tests.unit.machines.fake_machine import FakeMachine

FILES = [
    File(path="run", content="#!/bin/sh\necho '$HOME `x`' \"\\\"\n", mode="755"),
    File(path="staged/prepare/etc/x.conf", content="a = 1\n", mode="600"),
]


def test_files_arrive_as_they_are_whatever_is_in_them(machine: FakeMachine) -> None:
    machine.deliver(FILES)

    assert machine.text("/usr/local/lib/rakazo-infra/run") == FILES[0].content
    assert machine.path("/usr/local/lib/rakazo-infra/run").stat().st_mode & 0o777 == 0o755
    staged = machine.path("/usr/local/lib/rakazo-infra/staged/prepare/etc/x.conf")
    assert staged.stat().st_mode & 0o777 == 0o600
    assert {folder.stat().st_mode & 0o777 for folder in staged.parents[:4]} == {0o755}


def test_nobody_else_can_read_what_has_not_got_its_mode_yet(machine: FakeMachine) -> None:
    """A file may hold the credentials of a bucket; an interrupted delivery leaves it lying there."""
    machine.program("chmod", "exit 1")
    with pytest.raises(subprocess.CalledProcessError):
        machine.deliver(FILES)
    left = [path for path in machine.path("/usr/local/lib/rakazo-infra.new").rglob("*") if path.is_file()]
    assert [path.stat().st_mode & 0o777 for path in left] == [0o600] * len(FILES)


def test_the_command_survives_one_more_quoting(machine: FakeMachine) -> None:
    """It is one argument of `sh -c` for whoever logs in."""
    library = f"{machine.root}/usr/local/lib/rakazo-infra"
    machine.shell(f"sh -c {shlex.quote(render_delivery(FILES, library))}", check=True)
    assert machine.text("/usr/local/lib/rakazo-infra/run") == FILES[0].content


def test_what_is_no_longer_delivered_is_gone(machine: FakeMachine) -> None:
    machine.deliver(FILES)
    machine.deliver(FILES[:1])
    assert not machine.path("/usr/local/lib/rakazo-infra/staged").exists()


def test_what_an_interrupted_delivery_left_is_in_nobodys_way(machine: FakeMachine) -> None:
    machine.write("/usr/local/lib/rakazo-infra.new/stale", "x")
    machine.write("/usr/local/lib/rakazo-infra.old/stale", "x")
    machine.deliver(FILES)
    assert sorted(path.name for path in machine.path("/usr/local/lib").iterdir()) == ["rakazo-infra"]
    assert not machine.path("/usr/local/lib/rakazo-infra/stale").exists()


@pytest.mark.parametrize(
    "file",
    [
        File(path="x", content="no newline"),
        File(path="x", content="END_OF_FILE_OF_RAKAZO_INFRA\n"),
        File(path="/etc/x", content="\n"),
        File(path="it's", content="\n"),
    ],
)
def test_a_file_that_could_end_the_command_early_is_refused(file: File) -> None:
    with pytest.raises(ValueError, match="has an absolute path, no newline at its end, or"):
        render_delivery([file])


def test_any_change_has_another_digest() -> None:
    changed = [
        File(path="run", content=FILES[0].content, mode="700"),
        File(path="ran", content=FILES[0].content, mode="755"),
        File(path="run", content="\n", mode="755"),
    ]
    assert len({digest([file]) for file in [FILES[0], *changed]}) == 4
