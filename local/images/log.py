"""Running a program whose output belongs into a log, and telling its failure by the log's end."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent

from local.failure import LocalError
from local.log_end import log_end


def run(
    purpose: str,
    command: Sequence[str],
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> None:
    """Run a program to its end, its output appended to the log.

    LocalError: the program is not installed or its exit status is not 0.
    """
    try:
        with log.open("a", encoding="utf-8") as output:
            status = subprocess.run(
                command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False
            ).returncode
    except FileNotFoundError:
        raise missing(purpose, command[0]) from None
    if status != 0:
        raise failure(purpose, f"{command[0]} ended with exit status {status}", log)


def missing(purpose: str, program: str) -> LocalError:
    """Describe a program that is not installed."""
    return LocalError(
        f"{purpose}: the program {program} is not installed; "
        "run `apt-get install buildah mmdebstrap`, then `make images`."
    )


def failure(purpose: str, reason: str, log: Path) -> LocalError:
    """Describe a failed build by the end of its log."""
    return LocalError(
        f"Building {purpose} failed: {reason}. The last lines of {log}:\n{indent(log_end(log), '  ')}\n"
        "Correct what they say, then run `make images`."
    )
