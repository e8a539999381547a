"""A release arrives as a whole or not at all."""

import hashlib
from pathlib import Path

import pytest

from components.runtimes.installer.node import release
from components.runtimes.installer.node.node_error import NodeError
from tests.unit.installer.tarball import RELEASE, pack


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "gvisor.tar.bz2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "20261116.0"


def test_all_of_a_release_is_there_for_everybody_to_read_and_run(archive: Path, folder: Path) -> None:
    """Runsc goes on as nobody, beside the programs that came with it."""
    sha512 = pack(archive)
    assert release.ensure(archive.as_uri(), sha512, folder)
    for name in RELEASE:
        assert (folder / name).stat().st_mode & 0o777 == 0o755
    assert (folder / "gvisor-bin").stat().st_mode & 0o777 == 0o755
    assert folder.stat().st_mode & 0o777 == 0o755
    assert not (folder / release.ARCHIVE).exists()


def test_one_that_is_there_is_not_fetched_again(archive: Path, folder: Path) -> None:
    sha512 = pack(archive)
    release.ensure(archive.as_uri(), sha512, folder)
    archive.unlink()
    assert not release.ensure(archive.as_uri(), sha512, folder)


def test_what_a_killed_run_left_is_fetched_again(archive: Path, folder: Path) -> None:
    sha512 = pack(archive)
    release.ensure(archive.as_uri(), sha512, folder)
    (folder / release.COMPLETE).unlink()
    folder.with_name("20261116.0.partial").mkdir()
    assert release.ensure(archive.as_uri(), sha512, folder)
    assert [path.name for path in folder.parent.iterdir()] == ["20261116.0"]


def test_another_checksum_of_the_same_release_replaces_it(archive: Path, folder: Path) -> None:
    release.ensure(archive.as_uri(), pack(archive), folder)
    (folder / "old").touch()
    assert release.ensure(archive.as_uri(), pack(archive, (*RELEASE, "more")), folder)
    assert (folder / "more").exists()
    assert not (folder / "old").exists()


def refused(archive: Path, folder: Path, sha512: str) -> str:
    with pytest.raises(NodeError) as caught:
        release.ensure(archive.as_uri(), sha512, folder)
    assert list(folder.parent.iterdir()) == [], "something of it was left"
    return str(caught.value)


def test_what_cannot_be_fetched_or_is_another_file_leaves_nothing(archive: Path, folder: Path) -> None:
    sha512 = pack(archive)
    whole = archive.read_bytes()
    archive.write_bytes(whole[:-20])
    assert "it is cut off or another file; nothing of it was used" in refused(archive, folder, sha512)
    archive.unlink()
    assert "cannot be fetched" in refused(archive, folder, sha512)


def test_a_tarball_that_is_no_release_leaves_nothing(archive: Path, folder: Path) -> None:
    loose = pack(archive, ("runsc",))
    assert "has no containerd-shim-runsc-v1 and no gvisor-bin" in refused(archive, folder, loose)
    linked = pack(archive, link="/etc/passwd")
    assert "entry link is neither file nor folder" in refused(archive, folder, linked)
    outside = pack(archive, (*RELEASE, "../outside"))
    assert "an entry outside of itself" in refused(archive, folder, outside)
    absolute = pack(archive, (*RELEASE, "/outside"))
    assert "an entry outside of itself" in refused(archive, folder, absolute)
    archive.write_bytes(b"no tarball")
    text = hashlib.sha512(b"no tarball").hexdigest()
    assert "cannot be unpacked" in refused(archive, folder, text)


def test_a_mirror_does_not_fill_the_disk(archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sha512 = pack(archive)
    monkeypatch.setattr(release, "LARGEST", 100)
    assert "larger than 100 bytes" in refused(archive, folder, sha512)
    monkeypatch.setattr(release, "LARGEST", 2 * archive.stat().st_size)
    big = pack(archive, (*RELEASE, *(f"more-{number}" for number in range(400))))
    monkeypatch.setattr(release, "LARGEST", archive.stat().st_size + 1)
    assert "holds more than" in refused(archive, folder, big)
