"""One program that is built from source, as tools/programs.toml describes it."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any


@dataclass(frozen=True)
class Copy:
    """A file that a Go module carries and that must lie next to the binary."""

    module: str
    file: PurePosixPath


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to build, from which pinned module, and under which names the result is called."""

    name: str
    folder: Path
    """Directory of the Go module with go.mod and go.sum."""
    package: str
    module: str
    """Path of the module whose version is the program's version."""
    version: str
    variables: tuple[tuple[str, str], ...] = ()
    """Linker variables, `{version}` already filled in."""
    cgo: bool = False
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    copies: tuple[Copy, ...] = ()
    answers: str | None = None
    """Argument that makes an installed copy print its version; None never uses an installed one."""

    @property
    def binaries(self) -> tuple[str, ...]:
        """Every file name that a finished build holds."""
        return (self.name, *self.links, *(copy.file.name for copy in self.copies))

    @property
    def flags(self) -> tuple[str, ...]:
        """The arguments of `go build`, without output and package.

        No paths and no symbol tables: the result depends on the sources alone and is a third smaller.
        """
        linker = ["-s", "-w", *(f"-X {name}={value}" for name, value in self.variables)]
        flags = ["-mod=readonly", "-buildvcs=false", "-trimpath", f"-ldflags={' '.join(linker)}"]
        return (*flags, f"-tags={','.join(self.tags)}") if self.tags else tuple(flags)


def load_programs(table: Path) -> tuple[Program, ...]:
    """Read the table; module folders are looked for next to it. Unknown keys raise TypeError."""
    content = tomllib.loads(table.read_text(encoding="utf-8"))
    return tuple(_program(entry, table.parent) for entry in content["program"])


def _program(entry: Mapping[str, Any], root: Path) -> Program:
    variables: Mapping[str, str] = entry.get("variables", {})
    copies: Sequence[Mapping[str, str]] = entry.get("copies", ())
    version = entry["version"]
    changed = {
        "folder": root / entry["folder"],
        "variables": tuple((name, value.format(version=version)) for name, value in variables.items()),
        "tags": tuple(entry.get("tags", ())),
        "links": tuple(entry.get("links", ())),
        "copies": tuple(Copy(copy["module"], PurePosixPath(copy["file"])) for copy in copies),
    }
    return Program(**{**entry, **changed})
