"""The real programs (Kubernetes, gVisor, Pulumi and others), built from pinned sources and cached.

They are built because no release binary of theirs can be relied on everywhere; the sources come
through the Go module proxy, checked against the committed go.sum files.
"""

from pathlib import Path

from rich.console import Console

from local.cache import tools_root
from local.checkout import PROJECT
from local.toolchain.error import ToolchainError
from local.toolchain.go import find_go
from local.toolchain.program import load_programs
from local.toolchain.toolchain import Toolchain

__all__ = ["ToolchainError", "binary", "ensure", "ensure_docker", "find_go", "path_entries"]

TABLE = PROJECT / "tools" / "programs.toml"
DOCKER_TABLE = PROJECT / "tools" / "docker.toml"
"""What machines of the tests download as Docker; no embedded cluster needs it."""


def ensure(console: Console) -> Path:
    """Build what is missing and return the directory that holds every binary.

    A first build takes about twenty minutes on two cores, a later call some milliseconds.
    ToolchainError: no Go, Go too old, too little disk space, or a failed build.
    """
    return _toolchain().ensure(console)


def ensure_docker(console: Console) -> Path:
    """Build what is missing of Docker and return the directory that holds its programs; about three minutes once.

    ToolchainError as for `ensure`.
    """
    return Toolchain(load_programs(DOCKER_TABLE), find_go(), tools_root()).ensure(console)


def binary(name: str) -> Path:
    """Return the absolute path of a built program; ToolchainError names `make tools` if it is not built."""
    return _toolchain().binary(name)


def path_entries() -> list[Path]:
    """Directories to put in front of PATH, so that Pulumi finds its plugins and containerd its shims."""
    return [_toolchain().bundle()]


def _toolchain() -> Toolchain:
    return Toolchain(load_programs(TABLE), find_go(), tools_root())
