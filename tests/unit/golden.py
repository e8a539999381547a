"""Rendered text, compared with a file that people can read and review."""

import os
from pathlib import Path

WRITE = "RAKAZO_GOLDEN"


def check(path: Path, text: str) -> None:
    """Compare; with RAKAZO_GOLDEN=write in the environment the file is written instead."""
    if os.environ.get(WRITE) == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing; write it with: {WRITE}=write pytest {path.parents[1]}"
    assert text == path.read_text(encoding="utf-8"), (
        f"{path.name} is no longer what is rendered; if that is right: {WRITE}=write pytest {path.parents[1]}"
    )
