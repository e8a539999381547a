"""A registry of charts on loopback. It has a certificate as every registry has: only whoever trusts it reads there."""

import gzip
import hashlib
import io
import json
import ssl
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import yaml

from local.cluster.certificates import Authority

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.cncf.helm.config.v1+json"
CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
HOST, REPOSITORY = "127.0.0.1", "charts"


@dataclass(frozen=True, kw_only=True)
class ChartRegistry:
    """Where it is, and what it was asked for."""

    port: int
    authority: Path
    """The certificate of the one that signed the registry's."""
    asked: list[str] = field(default_factory=list)
    """Every path in the order of the questions."""

    @property
    def repository(self) -> str:
        """What a stack file says of it."""
        return f"oci://{HOST}:{self.port}/{REPOSITORY}"


@contextmanager
def chart_registry(folder: Path, *charts: Path) -> Iterator[ChartRegistry]:
    """Serve charts, each a folder; `folder` is for the certificates."""
    authority = Authority("charts")
    authority.issue("registry of charts", serves=[HOST]).write(folder, "charts")
    (folder / "authority.pem").write_text(authority.certificate, encoding="utf-8")
    contents, asked = {path: known for chart in charts for path, known in _served(chart).items()}, list[str]()
    server = ThreadingHTTPServer((HOST, 0), _handler(contents, asked))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "charts.crt", folder / "charts.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield ChartRegistry(port=server.server_address[1], authority=folder / "authority.pem", asked=asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _served(chart: Path) -> Mapping[str, tuple[str, bytes]]:
    """Return path to kind and content of everything that belongs to one chart."""
    about = yaml.safe_load((chart / "Chart.yaml").read_text(encoding="utf-8"))
    parts = {CONFIG: json.dumps(about).encode(), CONTENT: _archive(chart, about["name"])}
    described = [
        {"mediaType": kind, "digest": _digest(content), "size": len(content)} for kind, content in parts.items()
    ]
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": described[0], "layers": described[1:]}
    text = json.dumps(manifest).encode()
    place = f"/v2/{REPOSITORY}/{about['name']}"
    return {
        **{f"{place}/manifests/{name}": (MANIFEST, text) for name in (about["version"], _digest(text))},
        **{f"{place}/blobs/{_digest(content)}": (kind, content) for kind, content in parts.items()},
    }


def _archive(chart: Path, name: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for file in sorted(path for path in chart.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{name}/{file.relative_to(chart)}")
            content = file.read_bytes()
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), mtime=0)


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _handler(contents: Mapping[str, tuple[str, bytes]], asked: list[str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            asked.append(self.path)
            if self.path not in contents:
                self.send_error(404)
                return
            kind, content = contents[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Docker-Content-Digest", _digest(content))
            self.end_headers()
            if with_body:
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            return

    return Handler
