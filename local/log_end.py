"""The end of a log, which is what a failure is explained by."""

from pathlib import Path

LINES = 15
"""Enough to hold the first error of apt, buildah, the Go compiler or a program of Kubernetes."""


def log_end(log: str | Path, lines: int = LINES) -> str:
    """Return the last lines of a log, or a note that there are none; a log that is missing has none."""
    try:
        text = Path(log).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        text = ""
    return "\n".join(text.splitlines()[-lines:]) or "(its log is empty)"
