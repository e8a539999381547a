"""The bucket of the stand-in for k3s, against the object store of the estates on this machine's loopback."""

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.k3s.program.refusal import Refusal
from tests.k3s.program.s3 import Bucket
from tests.machines.object_store import ObjectStore
from tests.machines.web_server import Answer, Request

KEYS = {"access-key": "key", "secret-key": "secret"}


class Loopback(ThreadingHTTPServer):
    ahead_seconds = 0.0

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        super().__init__(("127.0.0.1", 0), Request)


@pytest.fixture
def store() -> ObjectStore:
    return ObjectStore(bucket="bucket", access_key="key", secret_key="secret")


@pytest.fixture
def endpoint(store: ObjectStore) -> Iterator[str]:
    server = Loopback(store.answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def bucket(endpoint: str, **changes: str) -> Bucket:
    told = {"bucket": "bucket", "folder": "folder", "endpoint": endpoint, "insecure": "true", **KEYS}
    return Bucket.of({**told, **{name.replace("_", "-"): value for name, value in changes.items()}})


def test_what_was_put_is_listed_and_fetched(endpoint: str, store: ObjectStore, tmp_path: Path) -> None:
    file = tmp_path / "on-demand-1"
    file.write_bytes(b"snapshot")
    store.objects["elsewhere/on-demand-2"] = b"of another cluster"
    assert bucket(endpoint).put(file) == "s3://bucket/folder/on-demand-1"
    assert store.objects["folder/on-demand-1"] == b"snapshot"
    ((name, place, size, _),) = bucket(endpoint).listed()
    assert (name, place, size) == ("on-demand-1", "s3://bucket/folder/on-demand-1", 8)
    assert bucket(endpoint).fetch("on-demand-1", tmp_path / "there").read_bytes() == b"snapshot"


def test_what_is_not_there_is_named(endpoint: str, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"GET /bucket/folder/missing: 404 .*NoSuchKey"):
        bucket(endpoint).fetch("missing", tmp_path)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"secret_key": "other"}, "SignatureDoesNotMatch"),
        ({"access_key": "other"}, "InvalidAccessKeyId"),
        ({"region": "fsn1"}, "AuthorizationHeaderMalformed"),
        ({"bucket": "other"}, "NoSuchBucket"),
    ],
)
def test_only_the_buckets_own_keys_open_it(endpoint: str, changes: dict[str, str], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        bucket(endpoint, **changes).listed()
