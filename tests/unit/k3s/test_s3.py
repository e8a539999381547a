"""The bucket of the stand-in for k3s, against a store of our own on this machine's loopback."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.k3s.program.refusal import Refusal
from tests.k3s.program.s3 import Bucket

LISTED = """<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
<Contents><Key>folder/{name}</Key><Size>{size}</Size><LastModified>2026-11-30T04:00:00Z</LastModified></Contents>
</ListBucketResult>"""


@pytest.fixture
def stored() -> dict[str, bytes]:
    return {}


@pytest.fixture
def endpoint(stored: dict[str, bytes]) -> Iterator[str]:
    class Store(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """A test's output stays quiet."""

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_PUT(self) -> None:
            assert self.headers["Authorization"].startswith("AWS4-HMAC-SHA256 Credential=key/")
            stored[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
            self.answer(200, b"")

        def do_GET(self) -> None:
            if self.path == "/bucket?list-type=2&prefix=folder%2F":
                name, content = next(iter(stored.items()))
                self.answer(200, LISTED.format(name=Path(name).name, size=len(content)).encode())
            elif self.path in stored:
                self.answer(200, stored[self.path])
            else:
                self.answer(404, b"NoSuchKey")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def bucket(endpoint: str) -> Bucket:
    keys = {"access-key": "key", "secret-key": "secret"}
    return Bucket.of({"bucket": "bucket", "folder": "folder", "endpoint": endpoint, "insecure": "true", **keys})


def test_what_was_put_is_listed_and_fetched(bucket: Bucket, stored: dict[str, bytes], tmp_path: Path) -> None:
    file = tmp_path / "on-demand-1"
    file.write_bytes(b"snapshot")
    assert bucket.put(file) == "s3://bucket/folder/on-demand-1"
    assert stored == {"/bucket/folder/on-demand-1": b"snapshot"}
    assert bucket.listed() == [("on-demand-1", "s3://bucket/folder/on-demand-1", 8, "2026-11-30T04:00:00Z")]
    assert bucket.fetch("on-demand-1", tmp_path / "there").read_bytes() == b"snapshot"


def test_what_is_not_there_is_named(bucket: Bucket, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="GET /bucket/folder/missing: 404 NoSuchKey"):
        bucket.fetch("missing", tmp_path)
