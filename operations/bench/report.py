"""The measured figures as docs/performance.md."""

import os
import platform
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from local.checkout import PROJECT
from operations.bench.figure import Figure

TITLES = {
    "cluster": "The embedded cluster",
    "deploy": "Deploying the application",
    "computers": "A new computer",
    "births": "The first 2.5 seconds of 20 new computers at once",
    "density": "Computers on a node of 8 vCPU and 16 GB",
}
_GIB = 1 << 30


def write(measured: Mapping[str, Sequence[Figure]], *, complete: bool) -> Path:
    """Write the page; an incomplete measurement goes to a file of its own below .local."""
    path = PROJECT / "docs" / "performance.md" if complete else PROJECT / ".local" / "performance.md"
    path.write_text(_page(measured), encoding="utf-8")
    return path


def _page(measured: Mapping[str, Sequence[Figure]]) -> str:
    lines = ["# Performance", "", _machine()]
    for part, figures in measured.items():
        lines += ["", f"## {TITLES[part]}", "", "| what | median | range |", "|---|---|---|"]
        lines += [figure.row() for figure in figures]
    return "\n".join(lines) + "\n"


def _machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    return (
        f"Written by `make bench` on {time.strftime('%Y-%m-%d')}: {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"Linux {platform.release().split('-')[0]}. Tools and images were built before. Absolute times are of this "
        "one machine; the ratios compare two ways in the same run and hold elsewhere too."
    )
