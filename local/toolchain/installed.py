"""Programs of the pinned version that are installed already."""

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from local.toolchain.program import Program

ANSWER_TIMEOUT = 20
"""Seconds for a program to print its version; a loaded machine takes two."""


def installed_directory(program: Program, root: Path) -> Path | None:
    """Directory on PATH that holds the program in its pinned version and its files, else None.

    What lies in our own cache (`root`) is not installed: it may be another checkout's.
    """
    found = shutil.which(program.name)
    if program.answers is None or found is None:
        return None
    executable = Path(found).resolve()
    complete = all((executable.parent / name).exists() for name in program.binaries)
    if executable.is_relative_to(root.resolve()) or not complete:
        return None
    return executable.parent if _version(executable, program.answers) == program.version else None


@cache
def _version(executable: Path, argument: str) -> str | None:
    # Even to say its version, pulumi writes into its home, by default the person's.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = os.environ | {"PULUMI_SKIP_UPDATE_CHECK": "true", "PULUMI_HOME": home}
        try:
            finished = subprocess.run(
                [executable, argument],
                env=environment,
                capture_output=True,
                text=True,
                timeout=ANSWER_TIMEOUT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
    return finished.stdout.strip() if finished.returncode == 0 else None
