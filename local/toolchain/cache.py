"""The cache of built programs, shared by every checkout of a user."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from local.toolchain.go import Go
from local.toolchain.program import Program


@dataclass(frozen=True)
class Slot:
    """The place of one result; it either holds the whole result or does not exist."""

    directory: Path

    @property
    def log(self) -> Path:
        """Output of the build; outlives a failed one."""
        return self.directory.with_suffix(".log")

    @property
    def published(self) -> bool:
        """Whether the result is complete."""
        return self.directory.is_dir()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes and threads from building the same; waits without a limit.

        The kernel drops the lock with its holder, so a killed build blocks nobody.
        """
        self.directory.parent.mkdir(parents=True, exist_ok=True)
        with self.directory.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def publish(self, fill: Callable[[Path], None]) -> None:
        """Let `fill` write into an empty directory and show it under its name only when it returns.

        Call it with the lock held: leftovers of a killed build are removed first.
        """
        unfinished = self.directory.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        try:
            fill(unfinished)
            unfinished.rename(self.directory)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)


def cache_root() -> Path:
    """`$XDG_CACHE_HOME` or `~/.cache`, and our part of it."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rakazo-infra" / "tools"


def program_slot(program: Program, go: Go, root: Path) -> Slot:
    """Return where the result of exactly these sources, flags and compiler belongs."""
    return Slot(root / program.name / key(program, go))


def key(program: Program, go: Go) -> str:
    """Digest of all that decides about the binary; another version never replaces one in use."""
    digest = hashlib.sha256()
    copies = [f"{copy.module}/{copy.file}" for copy in program.copies]
    facts = [go.version, go.system, go.architecture, program.package, str(program.cgo)]
    for fact in (*facts, *program.flags, "links", *program.links, "copies", *copies):
        digest.update(fact.encode() + b"\0")
    for file in sorted(path for path in program.folder.rglob("*") if path.is_file()):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"{file.relative_to(program.folder).as_posix()}\0{content}\0".encode())
    # 80 bits: no clash by accident, and the path stays readable.
    return digest.hexdigest()[:20]
