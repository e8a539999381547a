"""A slot holds a whole result or nothing.

Limit: a killed process is imitated by its leftovers, no process is killed here.
"""

import fcntl
from pathlib import Path

import pytest

from local.toolchain.cache import Slot, cache_root


@pytest.fixture
def slot(tmp_path: Path) -> Slot:
    return Slot(tmp_path / "etcd" / "0123456789")


def test_nothing_is_visible_under_the_name_before_all_is_written(slot: Slot) -> None:
    def fill(directory: Path) -> None:
        (directory / "etcd").write_text("half")
        assert not slot.published

    with slot.locked():
        slot.publish(fill)
    assert slot.published
    assert [path.name for path in slot.directory.iterdir()] == ["etcd"]


def test_a_build_that_fails_half_way_leaves_nothing(slot: Slot) -> None:
    def fill(directory: Path) -> None:
        (directory / "etcd").write_text("half")
        raise RuntimeError("compiler crashed")

    with slot.locked(), pytest.raises(RuntimeError):
        slot.publish(fill)
    assert [path.suffix for path in slot.directory.parent.iterdir()] == [".lock"]


def test_leftovers_of_a_killed_build_do_not_get_into_the_result(slot: Slot) -> None:
    unfinished = slot.directory.with_suffix(".unfinished")
    unfinished.mkdir(parents=True)
    (unfinished / "rest").write_text("half")
    with slot.locked():
        slot.publish(lambda directory: (directory / "etcd").touch())
    assert [path.name for path in slot.directory.iterdir()] == ["etcd"]


def test_a_second_checkout_waits_while_the_first_builds(slot: Slot) -> None:
    lock = slot.directory.with_suffix(".lock")
    with slot.locked(), lock.open("w") as second, pytest.raises(BlockingIOError):
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with lock.open("w") as second:
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_the_cache_follows_the_users_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "rakazo-infra" / "tools"


def test_without_a_setting_the_cache_is_in_the_home_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_root() == tmp_path / ".cache" / "rakazo-infra" / "tools"
