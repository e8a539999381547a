"""Small tarballs that look like releases of gVisor, and ones that do not."""

import hashlib
import io
import tarfile
from pathlib import Path

RELEASE = ("runsc", "containerd-shim-runsc-v1", "gvisor-bin/sidecar")


def pack(path: Path, names: tuple[str, ...] = RELEASE, *, link: str | None = None) -> str:
    """Write a tarball and return its checksum."""
    with tarfile.open(path, "w:bz2") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            text = f"#!/bin/sh\n# {name}\n".encode()
            entry.size, entry.mode = len(text), 0o600
            archive.addfile(entry, io.BytesIO(text))
        if link is not None:
            entry = tarfile.TarInfo("link")
            entry.type, entry.linkname = tarfile.SYMTYPE, link
            archive.addfile(entry)
    return hashlib.sha512(path.read_bytes()).hexdigest()
