"""Building the missing programs, two at a time."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from local import pool
from local.toolchain.checks import failed_build
from local.toolchain.error import ToolchainError
from local.toolchain.go import Go
from local.toolchain.program import Program
from local.toolchain.slot import program_slot


def build_all(programs: Sequence[Program], go: Go, root: Path, console: Console) -> None:
    """Build the programs in their order, with a line on the console for each as it ends.

    The first failure is raised as ToolchainError; no further build is started, the running
    one is finished and its result kept.
    """
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        pool.run(lambda program: _ensure_one(program, go, root, progress), programs)


def _ensure_one(program: Program, go: Go, root: Path, progress: Progress) -> None:
    title = f"{program.name} {program.version}"
    slot = program_slot(program, go, root)
    line = progress.add_task(f"building {title}", total=None)
    start = time.monotonic()
    try:
        slot.ensure(lambda directory: _fill(program, go, slot.log, directory))
    except ToolchainError:
        progress.console.print(f"[red]failed[/red] {title} after {time.monotonic() - start:.0f} s")
        raise
    else:
        progress.console.print(f"[green]built[/green] {title} in {time.monotonic() - start:.0f} s")
    finally:
        progress.remove_task(line)


def _fill(program: Program, go: Go, log: Path, directory: Path) -> Path:
    arguments = ["build", *program.flags, "-o", str(directory / program.name), program.package]
    with log.open("w", encoding="utf-8") as output:
        status = go.run(arguments, program.folder, output, cgo=program.cgo)
    if status != 0:
        raise failed_build(program, log, status)
    for link in program.links:
        (directory / link).symlink_to(program.name)
    for copy in program.copies:
        copied = directory / copy.file.name
        shutil.copyfile(go.module_directory(copy.module, program.folder) / copy.file, copied)
        # Files of a Go module are read-only and not executable.
        copied.chmod(0o755)
    return directory
