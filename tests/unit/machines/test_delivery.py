"""How files reach a machine."""

import shlex
import subprocess

import pytest

from components.machines.file import LIBRARY, File, digest, render_delivery, render_removal
from components.machines.preparation import SCRIPTS
from tests.unit.machines.fake_machine import FakeMachine

OWNER = "k3s test"
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
    assert [path.stat().st_mode & 0o777 for path in left] == [0o600] * (len(FILES) + 1)


def test_the_command_survives_one_more_quoting(machine: FakeMachine) -> None:
    """It is one argument of `sh -c` for whoever logs in."""
    machine.shell(f"sh -c {shlex.quote(render_delivery(FILES, OWNER, str(machine.root)))}", check=True)
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
        render_delivery([file], OWNER)


def test_any_change_has_another_digest() -> None:
    changed = [
        File(path="run", content=FILES[0].content, mode="700"),
        File(path="ran", content=FILES[0].content, mode="755"),
        File(path="run", content="\n", mode="755"),
    ]
    assert len({digest([file]) for file in [FILES[0], *changed]}) == 4


def refused(machine: FakeMachine, owner: str) -> str:
    """Have somebody deliver to a machine that is another's; return what they are told."""
    before = sorted(machine.path("/usr/local/lib").rglob("*"))
    done = machine.shell(render_delivery(FILES, owner, str(machine.root)))
    assert done.returncode == 1
    assert sorted(machine.path("/usr/local/lib").rglob("*")) == before
    assert machine.text("/usr/local/lib/rakazo-infra/run") == "of the first\n"
    return done.stderr


@pytest.fixture
def taken(machine: FakeMachine) -> FakeMachine:
    """Be a machine on which k3s of the stack `first` runs."""
    machine.deliver([File(path="run", content="of the first\n")], "k3s first")
    machine.write("/var/lib/rakazo-infra/stack", "first\n")
    return machine


@pytest.mark.parametrize("owner", ["k3s second", "docker second", "docker first"])
def test_nothing_is_delivered_to_a_machine_that_is_another_owners(taken: FakeMachine, owner: str) -> None:
    """B004: its scripts are what its destroy runs, and another's would leave it, or take away what is not theirs."""
    told = refused(taken, owner)
    assert f"error: this machine runs k3s for the stack first, and this is '{owner}'. Nothing was changed" in told


@pytest.mark.parametrize(
    ("sign", "owner", "others"),
    [
        ("k3s-version", "k3s first", ["docker first", "k3s second"]),
        ("docker", "docker first", ["k3s first", "docker second"]),
        ("lock", "k3s first", ["k3s second"]),
    ],
)
def test_what_was_delivered_before_there_were_owners_is_known_by_its_state(
    taken: FakeMachine, sign: str, owner: str, others: list[str]
) -> None:
    taken.path("/usr/local/lib/rakazo-infra/owner").unlink()
    taken.write(f"/var/lib/rakazo-infra/{sign}", "x\n")
    for other in others:
        assert "this machine runs " in refused(taken, other)
    taken.deliver(FILES, owner)
    assert taken.text("/usr/local/lib/rakazo-infra/owner") == f"{owner}\n"


def test_a_machine_on_which_nothing_was_done_yet_is_anybodys(machine: FakeMachine) -> None:
    """Of a run that was refused there are scripts and nothing else."""
    machine.deliver(FILES, "docker first")
    machine.deliver(FILES, "k3s second")
    assert machine.text("/usr/local/lib/rakazo-infra/owner") == "k3s second\n"


@pytest.mark.parametrize(("owner", "removes"), [("k3s first", True), ("docker first", False), ("k3s second", False)])
def test_a_destroy_runs_no_other_owners_scripts(machine: FakeMachine, owner: str, removes: bool) -> None:
    """A rented machine, or one that never was reached, has none."""
    command = render_removal(owner).replace(LIBRARY, f"{machine.root}{LIBRARY}")
    assert machine.shell(command).returncode == 0
    machine.deliver([File(path="remove", content='#!/bin/sh\necho removed >>"$CALLS"\n', mode="755")], "k3s first")
    assert machine.shell(command).returncode == 0
    assert machine.calls("removed") == (["removed"] if removes else [])


def test_a_removal_says_whose_it_is_where_a_machine_can_have_another_name(machine: FakeMachine) -> None:
    command = render_removal("k3s first", "rakazo-1").replace(LIBRARY, f"{machine.root}{LIBRARY}")
    machine.deliver([File(path="remove", content='#!/bin/sh\necho "removed $*" >>"$CALLS"\n', mode="755")], "k3s first")
    assert machine.shell(command).returncode == 0
    assert machine.calls("removed") == ["removed rakazo-1"]


@pytest.mark.parametrize("name", ["KUBECONFIG", "K3S_URL", "K3S_TOKEN", "K3S_CONFIG_FILE"])
def test_what_the_administrator_has_set_for_k3s_is_not_for_the_steps(machine: FakeMachine, name: str) -> None:
    """Else kubectl would ask another cluster, and k3s join it."""
    machine.deliver([File(path="report", content=(SCRIPTS / "report").read_text())])
    said = machine.shell(f"export {name}=other; . {machine.root}{LIBRARY}/report; {name}=ours; env")
    assert said.returncode == 0, said.stderr
    assert f"{name}=" not in said.stdout
