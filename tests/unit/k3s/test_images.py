"""The archives beside an air-gapped k3s."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from tests.k3s.program import images
from tests.k3s.program.refusal import Refusal


def archive(path: Path, reference: str, size: int = 0) -> None:
    listed = {"manifests": [{"annotations": {"io.containerd.image.name": reference}}]}
    with tarfile.open(path, "w") as output:
        for name, content in (("blob", b"x" * size), ("index.json", json.dumps(listed).encode())):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            output.addfile(entry, io.BytesIO(content))


def test_archives_are_named_by_their_index_and_taken_from_small_to_large(tmp_path: Path) -> None:
    archive(tmp_path / "a.tar", "localhost/r/large@sha256:1", 100_000)
    archive(tmp_path / "b.tar", "localhost/r/pause@sha256:2")
    (tmp_path / "notes.txt").write_text("not an archive")
    found = images.found(tmp_path)
    assert [each.references for each in found] == [("localhost/r/pause@sha256:2",), ("localhost/r/large@sha256:1",)]
    assert images.named(found, "pause") == "localhost/r/pause@sha256:2"


def test_an_image_that_no_archive_holds_is_named(tmp_path: Path) -> None:
    archive(tmp_path / "a.tar", "localhost/r/mypause@sha256:1")
    with pytest.raises(Refusal, match="no archive in the images' folder holds an image pause"):
        images.named(images.found(tmp_path), "pause")
    assert images.found(tmp_path / "missing") == []


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(b"not a tar")
    with pytest.raises(Refusal, match=r"a\.tar: is no archive of images"):
        images.found(tmp_path)
