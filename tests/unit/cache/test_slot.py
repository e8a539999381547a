"""A slot holds a whole result or nothing, and its key is that of its facts.

Limit: a killed process is imitated by its leftovers, no process is killed here.
"""

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from local.cache import Slot
from local.cache.slot import leftovers


@pytest.fixture
def slot(tmp_path: Path) -> Slot:
    return Slot(tmp_path / "etcd" / "0123456789")


def write(directory: Path) -> Path:
    """Make a result of one file."""
    (directory / "etcd").touch()
    return directory


def lock_at_once(path: Path) -> None:
    """Take a lock as another checkout would; BlockingIOError if it is held."""
    with path.open("w") as second:
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_nothing_is_visible_under_the_name_before_all_is_written(slot: Slot) -> None:
    seen: list[bool] = []

    def make(directory: Path) -> Path:
        seen.append(slot.complete)
        return write(directory)

    assert slot.ensure(make) == slot.directory
    assert seen == [False]
    assert slot.complete
    assert [path.name for path in slot.directory.iterdir()] == ["etcd"]


def test_only_what_make_returns_is_kept(slot: Slot) -> None:
    def make(directory: Path) -> Path:
        (directory / "sources").mkdir()
        (directory / "result").mkdir()
        return write(directory / "result")

    slot.ensure(make)
    assert [path.name for path in slot.directory.iterdir()] == ["etcd"]
    assert {path.name for path in slot.directory.parent.iterdir()} == {"0123456789", "0123456789.lock"}


def test_a_result_that_is_there_is_not_made_again(slot: Slot) -> None:
    made: list[Path] = []

    def make(directory: Path) -> Path:
        made.append(directory)
        return write(directory)

    slot.ensure(make)
    slot.ensure(make)
    assert len(made) == 1


def not_made(directory: Path) -> Path:
    """Return a result that is not there."""
    return directory / "result"


def crashed(directory: Path) -> Path:
    """Fail with half of the result written."""
    write(directory)
    raise FileNotFoundError("compiler")


@pytest.mark.parametrize("make", [not_made, crashed])
def test_a_build_that_fails_leaves_nothing(slot: Slot, make: Callable[[Path], Path]) -> None:
    with pytest.raises(FileNotFoundError):
        slot.ensure(make)
    assert not slot.complete
    assert [path.suffix for path in slot.directory.parent.iterdir()] == [".lock"]


def test_the_log_of_a_failed_build_stays_and_the_next_one_starts_anew(slot: Slot) -> None:
    def failing(directory: Path) -> Path:
        slot.log.write_text("no space left")
        return crashed(directory)

    with pytest.raises(FileNotFoundError):
        slot.ensure(failing)
    assert slot.log.read_text() == "no space left"
    slot.ensure(write)
    assert not slot.log.exists()


def test_leftovers_of_a_killed_build_do_not_get_into_the_result(slot: Slot) -> None:
    unfinished = slot.directory.with_suffix(".work")
    unfinished.mkdir(parents=True)
    (unfinished / "rest").write_text("half")
    slot.ensure(write)
    assert [path.name for path in slot.directory.iterdir()] == ["etcd"]


def test_a_second_checkout_waits_while_the_first_builds(slot: Slot) -> None:
    lock = slot.directory.with_suffix(".lock")

    def make(directory: Path) -> Path:
        with pytest.raises(BlockingIOError):
            lock_at_once(lock)
        return write(directory)

    slot.ensure(make)
    lock_at_once(lock)


def test_a_killed_build_is_told_from_one_that_is_at_work(slot: Slot) -> None:
    killed = slot.directory.with_name("killed.work")
    found: list[Path] = []

    def make(directory: Path) -> Path:
        killed.mkdir()
        for leftover in leftovers(killed.parent):
            found.append(leftover)
            with pytest.raises(BlockingIOError):
                lock_at_once(leftover.with_suffix(".lock"))
        return write(directory)

    slot.ensure(make)
    assert found == [killed]


def test_facts_are_kept_apart_in_a_key(tmp_path: Path) -> None:
    assert Slot.of(tmp_path, ["ab", "c"]) != Slot.of(tmp_path, ["a", "bc"])


def test_the_key_of_the_same_facts_is_the_same_in_every_version() -> None:
    """Another way to make keys builds everything anew, half an hour on two cores."""
    assert Slot.of(Path("etcd"), ["v1", "linux"]).directory == Path("etcd/b7f46b56080e123f830e")
