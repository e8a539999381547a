"""A release of gVisor on the node: fetched, checked, and there as a whole or not at all."""

import hashlib
import http.client
import shutil
import tarfile
import urllib.request
from pathlib import Path, PurePosixPath

from .node_error import NodeError

PROGRAMS = ("runsc", "containerd-shim-runsc-v1")
SIDECARS = "gvisor-bin"
COMPLETE = ".sha512"
"""Written last: a folder without it is what a killed run left."""
ARCHIVE = "gvisor.tar.bz2"
PARTIAL = ".partial"
LARGEST = 1 << 30
"""Bytes of a tarball or of what is in it, several times what a release has: a mirror must not fill the disk."""
SECONDS = 60.0
"""Without a byte from the mirror."""
_PIECE = 1 << 20


def is_complete(folder: Path, sha512: str) -> bool:
    """Whether the folder holds all of the release with this checksum."""
    note = folder / COMPLETE
    return note.is_file() and note.read_text() == sha512 and all((folder / name).is_file() for name in PROGRAMS)


def ensure(url: str, sha512: str, folder: Path) -> bool:
    """Bring the release into the folder; False when it was there. NodeError: it cannot be fetched or is another one."""
    if is_complete(folder, sha512):
        return False
    workspace = folder.with_name(f"{folder.name}{PARTIAL}")
    shutil.rmtree(workspace, ignore_errors=True)
    workspace.mkdir(parents=True)
    try:
        archive = workspace / ARCHIVE
        _fetch(url, sha512, archive)
        _unpack(archive, workspace)
        archive.unlink()
        (workspace / COMPLETE).write_text(sha512)
        shutil.rmtree(folder, ignore_errors=True)
        workspace.rename(folder)
    finally:
        shutil.rmtree(workspace, ignore_errors=True)
    return True


def _fetch(url: str, sha512: str, archive: Path) -> None:
    digest, size = hashlib.sha512(), 0
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer, archive.open("wb") as file:  # noqa: S310 - checked in the settings
            while piece := answer.read(_PIECE):
                size += len(piece)
                if size > LARGEST:
                    raise NodeError(f"{url} is larger than {LARGEST} bytes, which no release is")
                digest.update(piece)
                file.write(piece)
    except (OSError, http.client.HTTPException) as error:
        raise NodeError(f"{url} cannot be fetched after {size} bytes: {error}") from error
    if digest.hexdigest() != sha512:
        raise NodeError(
            f"{url} ({size} bytes) has the checksum {digest.hexdigest()[:16]}… and not {sha512[:16]}…: it is cut off "
            "or another file; nothing of it was used"
        )


def _unpack(archive: Path, folder: Path) -> None:
    """Write the archive's files below the folder, readable and executable by everybody: runsc goes on as nobody."""
    size = 0
    try:
        with tarfile.open(archive, "r:bz2") as entries:
            for entry in entries:
                path = PurePosixPath(entry.name)
                if path.is_absolute() or ".." in path.parts:
                    raise NodeError(f"the tarball has an entry outside of itself: {entry.name}")
                target = folder / path
                if entry.isdir():
                    _make(target, folder)
                elif entry.isfile():
                    size += entry.size
                    if size > LARGEST:
                        raise NodeError(f"the tarball holds more than {LARGEST} bytes, which no release does")
                    _make(target.parent, folder)
                    content = entries.extractfile(entry)
                    if content is None:
                        raise NodeError(f"the tarball's entry {entry.name} has no content")
                    with target.open("wb") as file:
                        shutil.copyfileobj(content, file, _PIECE)
                    target.chmod(0o755)
                else:
                    raise NodeError(f"the tarball's entry {entry.name} is neither file nor folder")
    except (tarfile.TarError, EOFError) as error:
        raise NodeError(f"the tarball cannot be unpacked: {error}") from error
    missing = [name for name in PROGRAMS if not (folder / name).is_file()]
    if missing or not (folder / SIDECARS).is_dir():
        raise NodeError(f"the tarball has no {' and no '.join([*missing, SIDECARS])}: it is no release of gVisor")
    folder.chmod(0o755)


def _make(folder: Path, root: Path) -> None:
    """Make a folder and those above it, as far as they are below the root."""
    if folder == root:
        return
    _make(folder.parent, root)
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
