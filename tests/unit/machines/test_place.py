"""Files from where they were delivered to where they work."""

from components.machines.file import File, script, staged
from components.machines.preparation import SCRIPTS, SHARED
from tests.unit.machines.fake_machine import FakeMachine

PARTS = [script(SCRIPTS, name, mode="644") for name in SHARED]


def deliver(machine: FakeMachine, *files: File) -> None:
    machine.deliver([*PARTS, *staged("k3s", files)])


def place(machine: FakeMachine) -> None:
    done = machine.function(["report", "place"], 'mkdir -p "$STATE"; place k3s')
    assert done.returncode == 0, done.stderr


def test_they_get_their_place_and_their_mode(machine: FakeMachine) -> None:
    deliver(machine, File(path="/etc/rancher/k3s/config.yaml", content="a\n", mode="600"))
    place(machine)
    assert machine.text("/etc/rancher/k3s/config.yaml") == "a\n"
    assert machine.path("/etc/rancher/k3s/config.yaml").stat().st_mode & 0o777 == 0o600


def test_one_that_is_right_already_is_not_touched(machine: FakeMachine) -> None:
    deliver(machine, File(path="/etc/x", content="a\n"))
    place(machine)
    before = machine.path("/etc/x").stat().st_ino
    place(machine)
    assert machine.path("/etc/x").stat().st_ino == before


def test_one_that_is_no_longer_wanted_is_removed_and_nobody_elses_is(machine: FakeMachine) -> None:
    """B045: a template of an older k3s beside a drop-in would declare the same runtime twice."""
    machine.write("/etc/mine", "mine\n")
    deliver(machine, File(path="/etc/old.tmpl", content="a\n"), File(path="/etc/x", content="a\n"))
    place(machine)
    deliver(machine, File(path="/etc/x", content="b\n"))
    place(machine)
    assert not machine.path("/etc/old.tmpl").exists()
    assert machine.text("/etc/x") == "b\n"
    assert machine.text("/etc/mine") == "mine\n"


def test_a_file_placed_by_an_interrupted_run_is_still_known_as_ours(machine: FakeMachine) -> None:
    deliver(machine, File(path="/etc/x", content="a\n"))
    machine.program("cp", "kill -KILL $PPID")  # the power goes out in the middle
    interrupted = machine.function(["report", "place"], 'mkdir -p "$STATE"; place k3s')
    assert interrupted.returncode != 0
    (machine.programs / "cp").unlink()
    place(machine)
    deliver(machine)
    place(machine)
    assert not machine.path("/etc/x").exists()
