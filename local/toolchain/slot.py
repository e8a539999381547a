"""Where a built program lies."""

from collections.abc import Iterator
from pathlib import Path

from local.cache import Slot
from local.cache.content import file_digest
from local.toolchain.go import Go
from local.toolchain.program import Program


def program_slot(program: Program, go: Go, root: Path) -> Slot:
    """Return where the result of exactly these sources, flags and compiler belongs."""
    return Slot.of(root / program.name, _facts(program, go))


def _facts(program: Program, go: Go) -> Iterator[str]:
    """All that decides about the binary."""
    yield from (go.version, go.system, go.architecture, program.package, str(program.cgo), *program.flags)
    yield from ("links", *program.links, "copies", *(f"{copy.module}/{copy.file}" for copy in program.copies))
    for file in sorted(path for path in program.folder.rglob("*") if path.is_file()):
        yield from (file.relative_to(program.folder).as_posix(), file_digest(file))
