"""What files hold, as facts of a key."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path


def content(folder: Path) -> Iterator[str]:
    """Name every file of a folder with its execute bit and its content's digest."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        if "__pycache__" in file.parts:
            continue
        executable = "x" if os.access(file, os.X_OK) else "-"
        yield f"{file.relative_to(folder).as_posix()} {executable} {file_digest(file)}"


def file_digest(file: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
