"""A place of the cache: it holds a whole result or does not exist."""

import fcntl
import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

KEY_LENGTH = 20
"""80 bits: no clash by accident, and the path stays readable."""

WORKSPACE = ".work"
"""Ending of the directory in which a result is made; beside the result, so that a rename can show it."""


@dataclass(frozen=True)
class Slot:
    """The place of one result, named by a key of all that decides about it."""

    directory: Path

    @classmethod
    def of(cls, folder: Path, facts: Iterable[str]) -> "Slot":
        """Return where the result of exactly these facts belongs; another one never replaces it."""
        digest = hashlib.sha256()
        for fact in facts:
            digest.update(fact.encode() + b"\0")
        return cls(folder / digest.hexdigest()[:KEY_LENGTH])

    @property
    def complete(self) -> bool:
        """Whether the result is there; a half-made one never is."""
        return self.directory.is_dir()

    @property
    def log(self) -> Path:
        """What the last try to make it printed; it outlives a failed one."""
        return self._beside(".log")

    def ensure(self, make: Callable[[Path], Path]) -> Path:
        """Return the directory of the result, made first unless it is there.

        `make` gets an empty directory on the cache's own disk and returns what in it is the finished result: a
        directory of its own or all of it. One process or thread makes it, the others wait without a limit; the
        kernel drops the lock with its holder, so a killed build blocks nobody. What `make` raises is passed on.
        """
        self.directory.parent.mkdir(parents=True, exist_ok=True)
        with self._beside(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.complete:
                self.log.unlink(missing_ok=True)
                self._make(make)
        return self.directory

    def _make(self, make: Callable[[Path], Path]) -> None:
        workspace = self._beside(WORKSPACE)
        # The lock is held, so whoever left something here was killed.
        shutil.rmtree(workspace, ignore_errors=True)
        workspace.mkdir()
        try:
            make(workspace).rename(self.directory)
        finally:
            shutil.rmtree(workspace, ignore_errors=True)

    def _beside(self, ending: str) -> Path:
        return self.directory.with_name(f"{self.directory.name}{ending}")


@contextmanager
def _lock_unless_held(path: Path) -> Iterator[bool]:
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield each directory in which a killed build was making a result of this folder.

    Its lock is held until the next one is asked for; where a build is at work, its directory is left out.
    """
    for workspace in sorted(folder.glob(f"*{WORKSPACE}")):
        with _lock_unless_held(workspace.with_suffix(".lock")) as locked:
            if locked and workspace.is_dir():
                yield workspace
