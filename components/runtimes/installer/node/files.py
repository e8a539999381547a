"""Files of the node, written so that a reader sees all of one or the one before."""

import os
from pathlib import Path


def read(path: Path) -> str | None:
    """Return a file's text, or None when there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def write(path: Path, text: str) -> bool:
    """Make the file hold this text, with the mode that it has; False when it did."""
    if read(path) == text:
        return False
    draft = path.with_name(f".{path.name}.rakazo-infra")
    draft.write_text(text, encoding="utf-8")
    draft.chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o644)
    with draft.open() as file:
        os.fsync(file.fileno())
    draft.replace(path)
    return True
