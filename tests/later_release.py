"""The same image under another name and digest: what a later release is to whoever deploys it."""

import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

from local.images import ImageArchive
from local.images.archive import IMAGE_NAME, reference
from tests.machines.registry import BLOBS

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"
PROGRAM = "usr/local/bin/node"
HALFWAY = '''#!/usr/bin/python3 -B
"""`node` of a release whose migration fails halfway, and leaves a database that no other migration takes."""

import asyncio
import os
import sys

sys.path.insert(0, "/opt/rakazo-stand-in")

from standin import database
from standin.launch import main


async def migrate():
    connection = await database.connect(os.environ["DATABASE_MIGRATION_URL"])
    await connection.execute("ALTER TABLE _prisma_migrations RENAME TO _prisma_migrations_halfway")
    await connection.execute("CREATE VIEW _prisma_migrations AS SELECT 'failed halfway' AS state")
    sys.exit("the migration failed halfway")


if "migrate" in sys.argv:
    asyncio.run(migrate())
sys.exit(main())
'''
MENDED = "DROP VIEW _prisma_migrations; ALTER TABLE _prisma_migrations_halfway RENAME TO _prisma_migrations"
"""What makes the database take migrations again, as SQL."""


def later(image: ImageArchive, folder: Path, release: str, layer: bytes = b"") -> ImageArchive:
    """Return an archive with another manifest and configuration of the image, and the layer where there is one.

    A registry has the image's own layers already.
    """
    with tarfile.open(image.archive) as archive:
        manifest = _read(archive, image.digest)
        configuration = _read(archive, manifest["config"]["digest"])
    configuration["author"] = release
    if layer:
        # Not compressed, so both of its digests are the same.
        configuration["rootfs"]["diff_ids"].append(_digest(layer))
        configuration["history"].append({"created_by": release})
        manifest["layers"].append({"mediaType": LAYER, "digest": _digest(layer), "size": len(layer)})
    described = json.dumps(configuration).encode()
    manifest["config"] |= {"digest": _digest(described), "size": len(described)}
    listed = json.dumps(manifest).encode()
    packed = folder / f"{image.name}-{release}.tar"
    with tarfile.open(packed, "w") as made:
        for content in (described, listed, *([layer] if layer else [])):
            _add(made, f"{BLOBS}{_digest(content).removeprefix('sha256:')}", content)
    return ImageArchive(image.name, image.reference, packed, _digest(listed))


def fails_halfway(image: ImageArchive, folder: Path) -> ImageArchive:
    """Return a release of the stand-in whose migration changes the database and fails.

    After it every migration is refused, the old release's too, as Prisma does; `MENDED` ends that.
    """
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as made:
        _add(made, PROGRAM, HALFWAY.encode(), mode=0o755)
    return later(image, folder, "halfway", layer.getvalue())


def for_node(image: ImageArchive) -> ImageArchive:
    """Return the same with what containerd's import looks for; a node that has the first release has its layers."""
    named = reference(image.name, image.digest)
    with tarfile.open(image.archive) as archive:
        size = archive.getmember(f"{BLOBS}{image.digest.removeprefix('sha256:')}").size
    listed = {"mediaType": MANIFEST, "digest": image.digest, "size": size, "annotations": {IMAGE_NAME: named}}
    with tarfile.open(image.archive, "a") as archive:
        _add(archive, "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
        _add(archive, "index.json", json.dumps({"schemaVersion": 2, "manifests": [listed]}).encode())
    return ImageArchive(image.name, named, image.archive, image.digest)


def _add(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    archive.addfile(entry, io.BytesIO(content))


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _read(archive: tarfile.TarFile, digest: str) -> dict[str, Any]:
    file = archive.extractfile(f"{BLOBS}{digest.removeprefix('sha256:')}")
    assert file is not None
    loaded: dict[str, Any] = json.load(file)
    return loaded
