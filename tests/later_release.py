"""The same image under another name and digest: what a later release is to whoever deploys it."""

import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

from local.images import ImageArchive
from tests.machines.registry import BLOBS


def later(image: ImageArchive, folder: Path, release: str) -> ImageArchive:
    """Return an archive with another manifest and configuration of the image; a registry has its layers already."""
    with tarfile.open(image.archive) as archive:
        manifest = _read(archive, image.digest)
        configuration = _read(archive, manifest["config"]["digest"])
    configuration["author"] = release
    described = json.dumps(configuration).encode()
    manifest["config"] |= {"digest": _digest(described), "size": len(described)}
    listed = json.dumps(manifest).encode()
    packed = folder / f"{image.name}-{release}.tar"
    with tarfile.open(packed, "w") as made:
        for content in (described, listed):
            entry = tarfile.TarInfo(f"{BLOBS}{_digest(content).removeprefix('sha256:')}")
            entry.size = len(content)
            made.addfile(entry, io.BytesIO(content))
    return ImageArchive(image.name, image.reference, packed, _digest(listed))


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _read(archive: tarfile.TarFile, digest: str) -> dict[str, Any]:
    file = archive.extractfile(f"{BLOBS}{digest.removeprefix('sha256:')}")
    assert file is not None
    loaded: dict[str, Any] = json.load(file)
    return loaded
