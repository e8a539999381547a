"""The installer's program as the cluster gets it."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).with_name("node")
CHANGED = "rakazo-infra/program"
"""Annotation of a pod: another program starts another pod."""


def modules() -> Mapping[str, str]:
    """Return the text of each module by its file's name."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))}


def fingerprint() -> str:
    """Return a short text that changes with the program."""
    return hashlib.sha256("\0".join(modules().values()).encode()).hexdigest()[:16]
