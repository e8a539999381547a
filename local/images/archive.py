"""An image as one file that containerd imports."""

import hashlib
import io
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = "localhost/rakazo-stand-in"
"""No registry answers there: an image that was not imported cannot be pulled by mistake."""

FILE = "image.oci.tar"
DIGEST_FILE = "digest"

BLOBS = "blobs/sha256"
SHA256_LENGTH = 64
"""Hexadecimal digits: what is named so is a blob, the rest is buildah's own."""

IMAGE_NAME = "io.containerd.image.name"
"""With this annotation `ctr images import` stores the image under its digest reference, nothing else."""


@dataclass(frozen=True)
class ImageArchive:
    """One image, ready for `ctr --namespace k8s.io images import <archive>`."""

    name: str
    reference: str
    """What a pod's `image` says: repository and digest, never a tag."""
    archive: Path
    digest: str
    """`sha256:` and 64 hexadecimal digits, of the manifest."""


def reference(name: str, digest: str) -> str:
    """Join an image's name and its manifest's digest to the reference that Kubernetes uses."""
    return f"{REPOSITORY}/{name}@{digest}"


def published(name: str, directory: Path) -> ImageArchive:
    """Describe the image that a directory of the cache holds."""
    digest = (directory / DIGEST_FILE).read_text(encoding="ascii").strip()
    return ImageArchive(name, reference(name, digest), directory / FILE, digest)


def write(name: str, image: Path, directory: Path) -> None:
    """Pack the image that buildah wrote into an OCI archive and note its digest.

    buildah's own archives carry a tag and compressed layers; Kubernetes finds an image only under the
    very reference that a pod names, so the index is written here with that reference.
    """
    manifest = (image / "manifest.json").read_bytes()
    digest = f"sha256:{hashlib.sha256(manifest).hexdigest()}"
    listed = {
        "mediaType": json.loads(manifest)["mediaType"],
        "digest": digest,
        "size": len(manifest),
        "annotations": {IMAGE_NAME: reference(name, digest)},
    }
    with tarfile.open(directory / FILE, "w") as archive:
        _add(archive, "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
        _add(archive, "index.json", json.dumps({"schemaVersion": 2, "manifests": [listed]}).encode())
        _add(archive, f"{BLOBS}/{digest.removeprefix('sha256:')}", manifest)
        for blob in sorted(image.iterdir()):
            if len(blob.name) == SHA256_LENGTH:
                archive.add(blob, f"{BLOBS}/{blob.name}", filter=_plain)
    (directory / DIGEST_FILE).write_text(f"{digest}\n", encoding="ascii")


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    entry.mode = 0o644
    return entry
