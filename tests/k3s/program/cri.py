"""Questions to containerd in the language of kubelets (CRI), asked with curl: it speaks HTTP/2, Python does not."""

import struct
import subprocess
import tempfile
from pathlib import Path

from tests.k3s.program import protobuf
from tests.k3s.program.children import environment
from tests.k3s.program.paths import CONTAINERD_SOCKET
from tests.k3s.program.protobuf import Message
from tests.k3s.program.refusal import Refusal

SERVICE = "http://containerd/runtime.v1.RuntimeService"
ASK_SECONDS = 10
VERBOSE = b"\x08\x01"
"""A request whose first field is true."""


def ask(method: str, request: bytes = b"") -> Message:
    """Call one method and return its answer; Refusal with containerd's reason."""
    with tempfile.TemporaryDirectory() as folder:
        body, head = Path(folder, "body"), Path(folder, "head")
        body.write_bytes(struct.pack(">BI", 0, len(request)) + request)
        options = ["--silent", "--show-error", "--http2-prior-knowledge", f"--max-time={ASK_SECONDS}"]
        options = [option for each in options for option in each.split("=")]
        command = ["curl", *options, "--unix-socket", str(CONTAINERD_SOCKET), "--dump-header", str(head)]
        headers = ["--header", "Content-Type: application/grpc", "--header", "TE: trailers"]
        command += [*headers, "--data-binary", f"@{body}", f"{SERVICE}/{method}"]
        done = subprocess.run(command, capture_output=True, env=environment(), check=False)
        if done.returncode != 0:
            raise Refusal(f"containerd does not answer: {done.stderr.decode().strip()}")
        told = dict(line.split(": ", 1) for line in head.read_text().splitlines() if ": " in line)
    # Without a body the status comes at once, else behind it, and curl writes both into the same file.
    if told.get("grpc-status", "0") != "0":
        raise Refusal(f"containerd: {method}: {told.get('grpc-message', told['grpc-status'])}")
    return protobuf.read(done.stdout[5:])
