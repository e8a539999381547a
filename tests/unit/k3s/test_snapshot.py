"""Snapshots of the stand-in for k3s: the bucket that they go to, and reading one back.

That a snapshot of a real etcd is read is proven in tests/engine/test_k3s.py.
"""

import hashlib
import struct
from pathlib import Path
from typing import Any

import pytest

from tests.k3s.program import bolt, snapshot
from tests.k3s.program.paths import Layout
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.s3 import Bucket

S3 = {"bucket": "b", "access-key": "AKIDEXAMPLE", "secret-key": "secret"}
TYPED = {"s3": "true", "s3-endpoint": "store:9000", **{f"s3-{name}": value for name, value in S3.items()}}
WRITTEN = {"etcd-s3": True, **{f"etcd-s3-{name}": value for name, value in S3.items()}}


def test_a_bucket_without_what_it_needs_is_refused_by_the_flags_names() -> None:
    with pytest.raises(Refusal, match="S3 is asked for without etcd-s3-bucket, etcd-s3-secret-key"):
        Bucket.of({"access-key": "x"})


@pytest.mark.parametrize(
    ("options", "configured", "wanted"),
    [
        ({}, {}, None),
        ({}, {"etcd-s3": True, **{f"etcd-s3-{name}": value for name, value in S3.items()}}, "s3.amazonaws.com"),
        ({"s3": "false"}, {"etcd-s3": True}, None),
        (
            {"s3": "true", "s3-endpoint": "store:9000", **{f"s3-{name}": value for name, value in S3.items()}},
            {},
            "store:9000",
        ),
    ],
)
def test_flags_win_over_files(tmp_path: Path, options: dict[str, str], configured: Any, wanted: str | None) -> None:
    bucket = snapshot._bucket(Layout(tmp_path), {"s3": "", **options}, configured)
    assert (None if bucket is None else bucket.endpoint) == wanted


def test_requests_are_signed_for_their_path_and_time() -> None:
    signed = Bucket.of({**S3, "folder": "/f/", "insecure": "true"})._signed("PUT", "/b/f/name", "", b"content")
    assert signed["x-amz-content-sha256"] == hashlib.sha256(b"content").hexdigest()
    day = signed["x-amz-date"][:8]
    credential = f"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/{day}/us-east-1/s3/aws4_request, "
    assert signed["Authorization"].startswith(credential + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, ")


def test_snapshots_of_a_folder_are_listed(tmp_path: Path) -> None:
    (tmp_path / "on-demand-s1-1").write_bytes(b"12345")
    (tmp_path / ".half.part").write_bytes(b"1")
    header, line = snapshot.listed(tmp_path)
    assert header.split() == ["Name", "Location", "Size", "Created"]
    assert line.split()[:3] == ["on-demand-s1-1", f"file://{tmp_path}/on-demand-s1-1", "5"]


def page(flags: int, entries: list[tuple[int, bytes, bytes]]) -> bytes:
    heads, body = b"", b""
    for number, (kind, key, value) in enumerate(entries):
        offset = (len(entries) - number) * bolt.LEAF.size + len(body)
        heads += bolt.LEAF.pack(kind, offset, len(key), len(value))
        body += key + value
    return (bolt.HEADER.pack(0, flags, len(entries), 0) + heads + body).ljust(4096, b"\0")


def pair(key: bytes, value: bytes, lease: int = 0) -> bytes:
    stored = b"\x0a" + bytes([len(key)]) + key + b"\x2a" + bytes([len(value)]) + value
    return stored + (b"\x30" + bytes([lease]) if lease else b"")


def revision(main: int, *, removed: bool = False) -> bytes:
    return struct.pack(">QcQ", main, b"_", 0) + (b"t" if removed else b"")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database of four pages: two roots, of which the second is newer, the bucket, and a leaf."""
    metas = [
        (bolt.HEADER.pack(number, 4, 0, 0) + bolt.META.pack(bolt.MAGIC, 2, 4096, 0, root, 0, 0, 4, number, 0)).ljust(
            4096, b"\0"
        )
        for number, root in ((0, 0), (1, 2))
    ]
    keys = [
        (0, revision(1), pair(b"/a", b"old")),
        (0, revision(2), pair(b"/b", b"gone")),
        (0, revision(3), pair(b"/a", b"new")),
        (0, revision(4, removed=True), pair(b"/b", b"")),
        (0, revision(5), pair(b"/c", b"expires", lease=7)),
    ]
    buckets = page(bolt.IS_LEAF, [(bolt.IS_BUCKET, b"key", struct.pack("<QQ", 3, 0))])
    data = b"".join([*metas, buckets, page(bolt.IS_LEAF, keys)])
    path = tmp_path / "snapshot"
    path.write_bytes(data + hashlib.sha256(data).digest())
    return path


def test_the_last_value_of_each_key_that_stays_is_read(file: Path) -> None:
    assert bolt.latest(file) == {b"/a": b"new"}


@pytest.mark.parametrize("cut", [1, 32, 4096])
def test_a_snapshot_that_was_cut_short_is_refused(file: Path, cut: int) -> None:
    file.write_bytes(file.read_bytes()[:-cut])
    with pytest.raises(Refusal, match="snapshot is missing its checksum or does not match it"):
        bolt.latest(file)


def test_another_file_with_a_right_checksum_is_no_database(file: Path) -> None:
    data = b"\x01" * 8192
    file.write_bytes(data + hashlib.sha256(data).digest())
    with pytest.raises(Refusal, match="is no database of etcd"):
        bolt.latest(file)
