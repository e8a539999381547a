"""A mirror of gVisor's releases in an embedded cluster's outside, which can be told to misbehave.

`python -m tests.gvisor_mirror <folder>`: serves the folder's tarball in the way that its file `mode` says.
"""

import hashlib
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from local.cluster import ClusterFolder
from local.cluster.addresses import PUBLIC_WEB
from tests.gvisor_release import gvisor_tarball

Mode = Literal["whole", "gone", "cut", "another", "stalled"]
PORT = 8080
RELEASE = "20261116.0"
PATH = f"/{RELEASE}/x86_64/gvisor.tar.bz2"
PIECE = 1 << 20


class Mirror:
    """The mirror of one cluster."""

    def __init__(self, cluster: str, console: Console) -> None:
        """Describe it; nothing runs before `start`."""
        self._cluster = ClusterFolder(cluster)
        self._folder = self._cluster.machines / "mirror"
        self._tarball = gvisor_tarball(console)

    def start(self) -> None:
        """Serve from the cluster's outside; it ends with the cluster."""
        self._folder.mkdir(exist_ok=True)
        (self._folder / "tarball").symlink_to(self._tarball)
        self.behave("whole")
        self._cluster.machine("outside").spawn(
            "gvisor-mirror", [sys.executable, "-m", "tests.gvisor_mirror", str(self._folder)]
        )

    def behave(self, mode: Mode) -> None:
        """Serve the next request in this way; a stalled one goes on as soon as the mode is another."""
        (self._folder / "mode").write_text(mode)

    @property
    def settings(self) -> dict[str, Any]:
        """What a stack file says of it below `target.gvisor`."""
        with self._tarball.open("rb") as file:
            sha512 = hashlib.file_digest(file, "sha512").hexdigest()
        return {"release": RELEASE, "sha512": sha512, "mirror": f"http://{PUBLIC_WEB}:{PORT}"}


class Handler(BaseHTTPRequestHandler):
    folder: Path

    def mode(self) -> str:
        return (self.folder / "mode").read_text()

    def do_GET(self) -> None:
        mode, content = self.mode(), (self.folder / "tarball").read_bytes()
        if mode == "gone" or self.path != PATH:
            self.send_error(404)
            return
        if mode == "another":
            content = content[:-1] + b"?"
        self.send_response(200)
        # One that is cut off without a word: the length is that of what is sent.
        half = len(content) // 2
        self.send_header("Content-Length", str(half if mode == "cut" else len(content)))
        self.end_headers()
        self.wfile.write(content[:half])
        while mode == "stalled" and self.mode() == "stalled":
            time.sleep(0.1)
        if mode != "cut":
            self.wfile.write(content[half:])


def main() -> None:
    Handler.folder = Path(sys.argv[1])
    ThreadingHTTPServer((PUBLIC_WEB, PORT), Handler).serve_forever()


if __name__ == "__main__":
    main()
