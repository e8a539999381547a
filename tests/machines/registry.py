"""A registry from which machines pull the stand-in images by digest, as they pull published ones elsewhere.

It speaks what pulling needs of the distribution protocol, over HTTPS: Docker trusts no other registry unless it is told
to. Its authority is one of its own, which a machine is given to trust.
"""

import json
import ssl
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

from local.cluster.certificates import Authority
from local.images import ImageArchive
from tests.machines.addresses import REGISTRY
from tests.machines.namespace import Namespace
from tests.machines.web_server import Request, WebServer

PREFIX = "rakazo-stand-in"
TRUSTED = "/etc/ssl/certs/estate-registry.pem"
"""Where a machine looks for authorities beside those of its system."""
BLOBS = "blobs/sha256/"
PIECE = 1 << 20


@dataclass(frozen=True)
class Blob:
    """A part of an image: a stretch of its archive."""

    archive: Path
    offset: int
    size: int
    kind: str


def reference(image: ImageArchive) -> str:
    """Return how a stack file and Docker name the image: registry, name and digest."""
    return f"{REGISTRY}/{PREFIX}/{image.name}@{image.digest}"


class Registry:
    """Answers from its construction to `close`."""

    def __init__(self, operator: Namespace, certificate: Path) -> None:
        """Listen in the operator's network, and write the authority's certificate into a file for machines."""
        authority = Authority("estate registry")
        certificate.write_text(authority.certificate)
        self.trusted = {TRUSTED: certificate}
        """What a machine is shown so that it trusts the registry."""
        self._lock = Lock()
        self._blobs: dict[str, Blob] = {}
        self._names: dict[str, str] = {}
        self._requests: Counter[str] = Counter()
        self._server = WebServer(operator, REGISTRY, self._answer, _context(authority))

    def serve(self, images: Iterable[ImageArchive]) -> None:
        """Offer images."""
        for image in images:
            blobs = _blobs(image)
            with self._lock:
                self._names[image.name] = image.digest
                self._blobs.update(blobs)

    def take_away(self, name: str) -> None:
        """Have the image of this name no longer; `serve` brings it back."""
        with self._lock:
            self._names.pop(name)

    def requests(self, name: str) -> int:
        """How often the manifest of the image of this name was asked for."""
        with self._lock:
            return self._requests[name]

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _answer(self, request: Request) -> None:
        path = urlsplit(request.path).path
        if path == "/v2/":
            request.reply(200, b"{}")
            return
        parts = path.removeprefix(f"/v2/{PREFIX}/").split("/")
        with self._lock:
            name, kind, digest = parts if len(parts) == 3 else ("", "", "")
            if kind == "manifests":
                self._requests[name] += 1
            known = name in self._names and (kind == "blobs" or self._names[name] == digest)
            blob = self._blobs.get(digest) if known else None
        if blob is None:
            code = "MANIFEST_UNKNOWN" if kind == "manifests" else "BLOB_UNKNOWN"
            request.reply(404, json.dumps({"errors": [{"code": code, "message": f"no {path} here"}]}).encode())
        else:
            _send(request, blob, digest)


def _send(request: Request, blob: Blob, digest: str) -> None:
    request.send_response(200)
    headers = {"Content-Type": blob.kind, "Content-Length": str(blob.size), "Docker-Content-Digest": digest}
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()
    if request.command == "HEAD":
        return
    with blob.archive.open("rb") as file:
        file.seek(blob.offset)
        left = blob.size
        while left:
            piece = file.read(min(PIECE, left))
            request.wfile.write(piece)
            left -= len(piece)


def _blobs(image: ImageArchive) -> dict[str, Blob]:
    """Return the parts of an image by their digests."""
    found: dict[str, Blob] = {}
    with tarfile.open(image.archive) as archive:
        for member in archive:
            if member.name.startswith(BLOBS):
                digest = f"sha256:{member.name.removeprefix(BLOBS)}"
                found[digest] = Blob(image.archive, member.offset_data, member.size, "application/octet-stream")
    manifest = found[image.digest]
    with image.archive.open("rb") as file:
        file.seek(manifest.offset)
        kind = json.loads(file.read(manifest.size))["mediaType"]
    return {**found, image.digest: Blob(manifest.archive, manifest.offset, manifest.size, kind)}


def _context(authority: Authority) -> ssl.SSLContext:
    pair = authority.issue("registry", serves=[REGISTRY])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        pair.write(Path(folder), "registry")
        context.load_cert_chain(Path(folder, "registry.crt"), Path(folder, "registry.key"))
    return context
