"""Where built images and roots stay, shared by every checkout of a user."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

KEY_LENGTH = 20
"""80 bits: no clash by accident, and the path stays readable."""


@dataclass(frozen=True)
class Entry:
    """The place of one result: it holds all of it or does not exist."""

    directory: Path

    @property
    def log(self) -> Path:
        """What the build printed; it outlives a failed one."""
        return self.directory.with_name(f"{self.directory.name}.log")

    @property
    def complete(self) -> bool:
        """Whether the result is there; a half-built one never is."""
        return self.directory.is_dir()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let one process or thread build this; the others wait without a limit.

        The kernel drops the lock with its holder, so a killed build blocks nobody.
        """
        self.directory.parent.mkdir(parents=True, exist_ok=True)
        with self.directory.with_name(f"{self.directory.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextmanager
    def workspace(self) -> Iterator[Path]:
        """Give an empty directory on the cache's own disk and remove it afterwards.

        With the lock held a leftover is a killed build's and is removed first.
        """
        workspace = self.directory.with_name(f"{self.directory.name}.work")
        shutil.rmtree(workspace, ignore_errors=True)
        workspace.mkdir()
        try:
            yield workspace
        finally:
            shutil.rmtree(workspace, ignore_errors=True)

    def publish(self, result: Path) -> None:
        """Show a finished directory under the entry's name, in one step."""
        result.rename(self.directory)


def cache_root() -> Path:
    """`$XDG_CACHE_HOME` or `~/.cache`, and our part of it."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rakazo-infra" / "images"


def entry(name: str, facts: Iterable[str]) -> Entry:
    """Return where the result of exactly these facts belongs; another one never replaces it."""
    digest = hashlib.sha256()
    for fact in facts:
        digest.update(fact.encode() + b"\0")
    return Entry(cache_root() / name / digest.hexdigest()[:KEY_LENGTH])


def content(folder: Path) -> Iterator[str]:
    """Name every file of a folder with its execute bit and its content's digest."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        if "__pycache__" in file.parts:
            continue
        executable = "x" if os.access(file, os.X_OK) else "-"
        yield f"{file.relative_to(folder).as_posix()} {executable} {file_digest(file)}"


def file_digest(file: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
