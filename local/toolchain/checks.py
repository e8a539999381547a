"""What must hold before a build starts; each violation is one ToolchainError."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

from local.log_end import log_end
from local.toolchain.error import ToolchainError
from local.toolchain.go import INSTALL, Go, Version, parse_version
from local.toolchain.program import Program

GIGABYTE = 10**9

BASE_SPACE = 2 * GIGABYTE
"""Downloads and links of any build, in bytes."""

SPACE_PER_PROGRAM = 1_800_000_000
"""Bytes per missing program: after a cold build of all ten, on a machine that built a few other
things too, Go's build cache held 13 GB and its modules, usually on the same disk, 6 GB."""


def check_go_version(go: Go, programs: Sequence[Program]) -> None:
    """Refuse a Go older than the highest `go` line of the modules to be built."""
    minimum, folder = max((_minimum(program.folder), program.folder.name) for program in programs)
    if parse_version(go.version) < minimum:
        wanted = ".".join(map(str, minimum))
        raise ToolchainError(
            f"Go is too old: {go.executable} is {go.version}, tools/{folder}/go.mod needs {wanted} or newer; "
            f"{INSTALL}, then run `make tools`."
        )


def check_disk_space(go: Go, missing: Sequence[Program]) -> None:
    """Refuse to start a build that would fill the disk; what is warm in Go's cache is not deducted."""
    place = _existing_parent(go.build_cache)
    needed = BASE_SPACE + SPACE_PER_PROGRAM * len(missing)
    free = shutil.disk_usage(place).free
    if free < needed:
        raise ToolchainError(
            f"Not enough disk space: {free / GIGABYTE:.1f} GB are free for Go's build cache, "
            f"{go.build_cache}, and {len(missing)} programs need {needed / GIGABYTE:.0f} GB; "
            "free some space or set GOCACHE to a directory on a larger disk, then run `make tools`."
        )


def failed_build(program: Program, log: Path, status: int) -> ToolchainError:
    """Describe a failed build by the end of its log."""
    return ToolchainError(
        f"Building {program.name} {program.version} failed with exit status {status}. "
        f"The last lines of {log}:\n{indent(log_end(log), '  ')}\nCorrect what they say, then run `make tools`."
    )


def _minimum(folder: Path) -> Version:
    match = re.search(r"^go (\S+)$", (folder / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise ToolchainError(f"tools/{folder.name}/go.mod has no `go` line: add the oldest Go that builds it.")
    return parse_version(match[1])


def _existing_parent(path: Path) -> Path:
    return next(parent for parent in (path, *path.parents) if parent.exists())
