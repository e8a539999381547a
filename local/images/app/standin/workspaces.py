"""A computer's saved home in DATA_DIR: `homes/<key>`, swapped by rename, regular files only."""

import io
import os
import shutil
import tarfile
import uuid
from pathlib import Path

FOLDER_MODE = 0o755
FILE_MODE = 0o600
SKIPPED_FOLDERS = {"Cache", "Code Cache", "GPUCache", ".cache", "ShaderCache"}
"""A browser profile's caches: large, and made again."""
SKIPPED_FILES = {"SingletonLock", "SingletonCookie", "SingletonSocket", "lockfile"}
"""A browser profile's locks: a restored one would keep the next browser from starting."""
OWNER = 1000


class PathRefusedError(ValueError):
    """A path leaves the computer's home."""


def relative(path: str) -> str:
    """Return a path below the home.

    Raises:
        PathRefusedError: it is empty, absolute or climbs out.

    """
    parts = path.split("/")
    if not path or path.startswith("/") or any(part in {"", ".", ".."} for part in parts):
        raise PathRefusedError(f"{path!r} is no path below the computer's home; write notes/a.txt")
    return path


def one_file(path: str, content: bytes) -> bytes:
    """Return a tar with one file, its folders made by tar when it is unpacked."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        _add(archive, relative(path), content)
    return packed.getvalue()


def content_of(archive: bytes) -> bytes:
    """Return the content of the first regular file in a tar.

    Raises:
        FileNotFoundError: it holds none.

    """
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for member in packed:
            opened = packed.extractfile(member) if member.isreg() else None
            if opened is not None:
                return opened.read()
    raise FileNotFoundError("no regular file there")


class Workspaces:
    """The homes below one DATA_DIR."""

    def __init__(self, data: Path) -> None:
        self._homes = data / "homes"
        self._revisions = data / "home-revisions"

    def save(self, key: str, archive: Path) -> int:
        """Replace the saved home by what a tar holds and return the number of files.

        The old home stays until the new one is complete: a crash leaves `<key>.previous`.
        """
        self._homes.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        staging = self._homes / f".{key}.staging-{uuid.uuid4().hex}"
        staging.mkdir(mode=FOLDER_MODE)
        try:
            files = _unpack(archive, staging)
            home, previous = self._homes / key, self._homes / f"{key}.previous"
            shutil.rmtree(previous, ignore_errors=True)
            if home.exists():
                home.rename(previous)
            staging.rename(home)
            shutil.rmtree(previous, ignore_errors=True)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        self._note_revision(key)
        return files

    def make(self, key: str) -> int:
        """Make the home of a computer that works in it directly, and return how many files are there already."""
        home = self._homes / key
        home.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        return _count(home)

    def mark(self, key: str) -> int:
        """Note that the home of such a computer is a revision, and return how many files it has."""
        self._note_revision(key)
        return _count(self._homes / key)

    def _note_revision(self, key: str) -> None:
        self._revisions.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        (self._revisions / f"{key}.txt").write_text(uuid.uuid4().hex)

    def load(self, key: str) -> bytes | None:
        """Return the saved home as a tar, or None when nothing was saved."""
        home, previous = self._homes / key, self._homes / f"{key}.previous"
        if not home.exists() and previous.exists():
            previous.rename(home)
        if not home.exists():
            return None
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for path in sorted(home.rglob("*")):
                if path.is_file():
                    _add(archive, str(path.relative_to(home)), path.read_bytes())
        return packed.getvalue()


def _count(home: Path) -> int:
    return sum(path.is_file() and not path.is_symlink() for path in home.rglob("*"))


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = FILE_MODE
    member.uid = member.gid = OWNER
    archive.addfile(member, io.BytesIO(content))


def _unpack(archive: Path, target: Path) -> int:
    """Write the regular files of a tar below `target`; a computer's tar is hostile input."""
    files = 0
    with tarfile.open(archive) as packed:
        for member in packed:
            name = member.name.removeprefix("./")
            if not member.isreg() or _skipped(name):
                continue
            opened = packed.extractfile(member)
            if opened is None:
                continue
            path = target / relative(name)
            path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, FILE_MODE)
            with os.fdopen(descriptor, "wb") as written:
                shutil.copyfileobj(opened, written)
            files += 1
    return files


def _skipped(name: str) -> bool:
    *folders, file = name.split("/")
    return bool(SKIPPED_FOLDERS & set(folders)) or file in SKIPPED_FILES
