"""Saved homes: swapped whole, regular files only, and nothing outside them."""

import io
import tarfile
from pathlib import Path

import pytest

from local.images.app.standin.artifacts import Artifacts
from local.images.app.standin.workspaces import PathRefusedError, Workspaces, content_of, one_file, relative


def saved(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("./link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path


def names(archive: bytes | None) -> list[str]:
    assert archive is not None
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        return packed.getnames()


def test_a_saved_home_comes_back_without_links_caches_and_browser_locks(tmp_path: Path) -> None:
    files = {
        "./notes/a.txt": b"kept",
        "./.config/chromium/SingletonLock": b"lock",
        "./.config/chromium/Default/Cache/0": b"cache",
        "./.config/chromium/Default/Cookies": b"login",
    }
    workspaces = Workspaces(tmp_path / "data")
    assert workspaces.save("bot", saved(tmp_path / "home.tar", files)) == 2
    assert names(workspaces.load("bot")) == [".config/chromium/Default/Cookies", "notes/a.txt"]
    home = tmp_path / "data/homes/bot"
    assert (home / "notes/a.txt").stat().st_mode & 0o777 == 0o600
    assert (home / "notes").stat().st_mode & 0o777 == 0o755


def test_saving_again_replaces_the_home_and_leaves_no_staging_folder(tmp_path: Path) -> None:
    workspaces = Workspaces(tmp_path)
    workspaces.save("bot", saved(tmp_path / "1.tar", {"old": b"1"}))
    workspaces.save("bot", saved(tmp_path / "2.tar", {"new": b"2"}))
    assert names(workspaces.load("bot")) == ["new"]
    assert [path.name for path in (tmp_path / "homes").iterdir()] == ["bot"]


def test_a_crash_between_the_renames_loses_nothing(tmp_path: Path) -> None:
    workspaces = Workspaces(tmp_path)
    workspaces.save("bot", saved(tmp_path / "1.tar", {"a": b"1"}))
    (tmp_path / "homes/bot").rename(tmp_path / "homes/bot.previous")
    assert names(workspaces.load("bot")) == ["a"]


def test_a_hostile_archive_writes_nothing_outside_the_home_and_the_old_home_stays(tmp_path: Path) -> None:
    workspaces = Workspaces(tmp_path / "data")
    workspaces.save("bot", saved(tmp_path / "1.tar", {"a": b"1"}))
    with pytest.raises(PathRefusedError):
        workspaces.save("bot", saved(tmp_path / "2.tar", {"../../escaped": b"x"}))
    assert names(workspaces.load("bot")) == ["a"]
    assert not list(tmp_path.rglob("escaped"))


def test_nothing_saved_is_nothing_to_restore(tmp_path: Path) -> None:
    assert Workspaces(tmp_path).load("bot") is None


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a/../../x", "a//b", "./a"])
def test_a_path_outside_the_home_is_refused(path: str) -> None:
    with pytest.raises(PathRefusedError, match="no path below the computer's home"):
        relative(path)


def test_one_file_travels_in_a_tar() -> None:
    assert content_of(one_file("a/b.txt", b"hello")) == b"hello"
    with pytest.raises(FileNotFoundError):
        content_of(b"\0" * 10240)


def test_an_artifact_is_read_by_who_shares_the_folder_and_by_nobody_else(tmp_path: Path) -> None:
    """B105: without a shared DATA_DIR nothing but the behaviour tells."""
    worker, api, elsewhere = Artifacts(tmp_path / "a"), Artifacts(tmp_path / "a"), Artifacts(tmp_path / "b")
    name = worker.write(b"result")
    assert api.read(name) == b"result"
    assert elsewhere.read(name) is None
    assert api.read("../../x") is None
