"""All programs of a checkout together: built, found and laid out in one directory."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from local.cache import Slot
from local.toolchain.build import build_all
from local.toolchain.checks import check_disk_space, check_go_version
from local.toolchain.error import ToolchainError
from local.toolchain.go import Go
from local.toolchain.installed import installed_directory
from local.toolchain.program import Program
from local.toolchain.slot import program_slot


@dataclass(frozen=True)
class Toolchain:
    """The programs of one checkout, the compiler and the cache."""

    programs: tuple[Program, ...]
    go: Go
    root: Path
    """Directory of the cache."""

    def ensure(self, console: Console) -> Path:
        """Build what is missing and return the directory that holds every binary."""
        missing = [program for program in self.programs if self._directory(program) is None]
        if missing:
            check_go_version(self.go, missing)
            check_disk_space(self.go, missing)
            build_all(missing, self.go, self.root, console)
        return self._bundle().ensure(self._fill_bundle)

    def binary(self, name: str) -> Path:
        """Path of one binary; ToolchainError if it is unknown or not built."""
        for program in self.programs:
            if name in program.binaries:
                return self._built(program) / name
        known = ", ".join(sorted(name for program in self.programs for name in program.binaries))
        raise ToolchainError(f"No program named {name} is in tools/programs.toml; it has {known}.")

    def bundle(self) -> Path:
        """Return the directory that holds every binary; ToolchainError if something is not built."""
        bundle = self._bundle()
        if not bundle.complete:
            raise ToolchainError("The programs were built but not laid out together: run `make tools`.")
        return bundle.directory

    def _bundle(self) -> Slot:
        return Slot.of(self.root / "sets", map(str, self._directories().values()))

    def _fill_bundle(self, directory: Path) -> Path:
        for program, source in self._directories().items():
            links = dict.fromkeys(program.links, program.name)
            for name in program.binaries:
                if name in links:
                    (directory / name).symlink_to(links[name])
                else:
                    _link(source / name, directory / name)
        return directory

    def _directories(self) -> Mapping[Program, Path]:
        return {program: self._built(program) for program in self.programs}

    def _built(self, program: Program) -> Path:
        directory = self._directory(program)
        if directory is None:
            raise ToolchainError(f"{program.name} {program.version} is not built: run `make tools`.")
        return directory

    def _directory(self, program: Program) -> Path | None:
        slot = program_slot(program, self.go, self.root)
        return slot.directory if slot.complete else installed_directory(program, self.root)


def _link(source: Path, target: Path) -> None:
    """Hard links, so that the directory can be mounted into a machine on its own."""
    try:
        os.link(source, target)
    except OSError:
        # An installed program on another file system.
        target.symlink_to(source)
