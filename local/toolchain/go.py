"""The Go compiler that is installed on this machine."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from local.toolchain.error import ToolchainError

INSTALL = "install Go from https://go.dev/dl and put its bin directory on PATH"

OFFICIAL = "/usr/local/go/bin"
"""Where Go's own instructions put it, and what `sudo` takes off PATH."""

Version = tuple[int, int, int]


@dataclass(frozen=True)
class Go:
    """Where Go is and what it reports about itself."""

    executable: Path
    version: str
    """As Go says it: go1.26.8."""
    system: str
    architecture: str
    build_cache: Path
    """Directory of Go's own cache; its file system needs the space of a cold build."""

    def run(self, arguments: Sequence[str], folder: Path, log: IO[str], *, cgo: bool) -> int:
        """Run Go in a module folder, all output to the log; return the exit status."""
        command = [str(self.executable), *arguments]
        environment = _environment() | {"CGO_ENABLED": "1" if cgo else "0"}
        finished = subprocess.run(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False
        )
        return finished.returncode

    def module_directory(self, module: str, folder: Path) -> Path:
        """Directory of a downloaded module that the module in `folder` requires."""
        command = [str(self.executable), "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", module]
        finished = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
        if finished.returncode != 0:
            raise ToolchainError(f"Go cannot find the module {module}: {finished.stderr.strip()}")
        return Path(finished.stdout.strip())


def find_go() -> Go:
    """Find Go on PATH. ToolchainError if there is none or it does not run."""
    found = shutil.which("go") or shutil.which("go", path=OFFICIAL)
    if found is None:
        raise ToolchainError(f"Go is not installed (no `go` on PATH): {INSTALL}, then run `make tools`.")
    return _inspect(Path(found))


def parse_version(text: str) -> Version:
    """Read `go1.26.8` or `1.26` as numbers, a missing patch level as 0; ValueError otherwise."""
    match = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    if match is None:
        raise ValueError(f"no Go version in {text!r}")
    return int(match[1]), int(match[2]), int(match[3] or 0)


@cache
def _inspect(executable: Path) -> Go:
    command = [str(executable), "env", "-json", "GOVERSION", "GOOS", "GOARCH", "GOCACHE"]
    finished = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise ToolchainError(f"{executable} does not run ({finished.stderr.strip()}): {INSTALL}.")
    facts = json.loads(finished.stdout)
    return Go(executable, facts["GOVERSION"], facts["GOOS"], facts["GOARCH"], Path(facts["GOCACHE"]))


def _environment() -> dict[str, str]:
    """Let nothing but the table decide: no flags or workspace of the user, no other Go downloaded."""
    return os.environ | {"GOFLAGS": "", "GOWORK": "off", "GOTOOLCHAIN": "local"}
