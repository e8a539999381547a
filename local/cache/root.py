"""Where the cache of a user lies; a variable set for one run moves all of it."""

import os
from pathlib import Path


def tools_root() -> Path:
    """Programs built from tools/, a folder for each, and the sets of them that checkouts use."""
    return _root() / "tools"


def images_root() -> Path:
    """Images, what they are made of, and what nodes unpack of them: a folder for each."""
    return _root() / "images"


def _root() -> Path:
    """`$XDG_CACHE_HOME` or `~/.cache`, and our part of it."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rakazo-infra"
