"""Reading the database file of etcd (bbolt) without etcd: the keys and values of one bucket.

A snapshot of etcd is such a file with a checksum behind it. No program of tools/ can restore one, so its content is
read here and put into a new store.
"""

import hashlib
import struct
from collections.abc import Iterator
from pathlib import Path

from tests.k3s.program import protobuf
from tests.k3s.program.refusal import Refusal

MAGIC = 0xED0CDAED
HEADER = struct.Struct("<QHHI")
META = struct.Struct("<IIIIQQQQQQ")
BRANCH = struct.Struct("<IIQ")
LEAF = struct.Struct("<IIII")
IS_BRANCH, IS_LEAF, IS_BUCKET = 0x01, 0x02, 0x01
SMALLEST_PAGE = 512
CHECKSUM = 32
"""Bytes; SHA-256 of all before it."""
KEYS = b"key"
"""etcd's bucket with every revision of every key."""
REVISION = 17
"""Bytes of a revision; a removal has one more."""


class Bolt:
    """A database in memory."""

    def __init__(self, data: bytes) -> None:
        """Find the newest root; Refusal when this is no such database."""
        self._data = data
        metas = [self._meta(start) for start in (0, self._page_size())]
        self._size, self._root = max((each for each in metas if each), key=lambda each: each[2])[:2]

    def _page_size(self) -> int:
        magic, _, size, *_ = META.unpack_from(self._data, HEADER.size)
        if magic != MAGIC:
            raise Refusal("the file is no database of etcd")
        return int(size)

    def _meta(self, start: int) -> tuple[int, int, int] | None:
        magic, _, size, _, root, _, _, _, transaction, _ = META.unpack_from(self._data, start + HEADER.size)
        return (size, root, transaction) if magic == MAGIC else None

    def bucket(self, name: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Yield a bucket's keys and values in their order; Refusal when there is no such bucket."""
        for flags, key, value in self._page(self._root * self._size):
            if key == name and flags & IS_BUCKET:
                root = struct.unpack_from("<Q", value)[0]
                # A small bucket lies in the value itself, behind its own head.
                entries = self._page(root * self._size) if root else Bolt._entries(value, 16)
                yield from ((key, value) for _, key, value in entries)
                return
        raise Refusal(f"the database of etcd has no bucket {name.decode()}")

    def _page(self, start: int) -> Iterator[tuple[int, bytes, bytes]]:
        _, flags, count, _ = HEADER.unpack_from(self._data, start)
        if flags & IS_LEAF:
            yield from Bolt._entries(self._data, start)
        elif flags & IS_BRANCH:
            for number in range(count):
                page = BRANCH.unpack_from(self._data, start + HEADER.size + number * BRANCH.size)[2]
                yield from self._page(page * self._size)
        else:
            raise Refusal(f"the database of etcd is damaged: page at {start} is of kind {flags}")

    @staticmethod
    def _entries(data: bytes, start: int) -> Iterator[tuple[int, bytes, bytes]]:
        count = HEADER.unpack_from(data, start)[2]
        for number in range(count):
            place = start + HEADER.size + number * LEAF.size
            flags, offset, key, value = LEAF.unpack_from(data, place)
            begin = place + offset
            yield flags, data[begin : begin + key], data[begin + key : begin + key + value]


def latest(snapshot: Path) -> dict[bytes, bytes]:
    """Return every key of a snapshot with its last value; Refusal when the file is damaged or no snapshot.

    Keys that were to expire are left out: in the time between, they would have.
    """
    content = snapshot.read_bytes()
    data, checksum = content[:-CHECKSUM], content[-CHECKSUM:]
    if len(content) % SMALLEST_PAGE != CHECKSUM or hashlib.sha256(data).digest() != checksum:
        raise Refusal(f"{snapshot}: snapshot is missing its checksum or does not match it")
    found: dict[bytes, bytes] = {}
    for revision, stored in Bolt(data).bucket(KEYS):
        pair = protobuf.read(stored)
        key = pair[1][0]
        if len(revision) > REVISION or protobuf.count(pair, 6):
            found.pop(key, None)
        else:
            found[key] = pair[5][0] if pair.get(5) else b""
    return found
