"""Where an embedded cluster keeps its state, and who may change it."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from local.checkout import PROJECT
from local.failure import LocalError
from local.machines.machine import Machine

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?")

INDEX = ".names"
"""Folder of one empty file for each cluster that was started and not ended; no cluster's name begins with a dot."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What cluster.json holds: a cluster that was brought up completely, as other programs may rely on it."""

    name: str
    id: str
    """Distinguishes clusters of one machine, whatever checkout they belong to; names the control groups."""
    api_port: int
    """Of 127.0.0.1; the API as the kubeconfig names it."""
    door_port: int
    """Of 127.0.0.1; the way in to the application."""
    fingerprint: str
    """Of all programs and configuration; another one means that the machines are started anew."""
    images: dict[str, str]
    """Name of each imported image to its reference with digest."""
    addresses: dict[str, str]
    """The plan: node, pod and service ranges and what else a stack must know."""
    dual_stack: bool = False
    """Whether nodes, pods and Services have IPv6 addresses beside the IPv4 ones."""


@dataclass(frozen=True)
class ClusterFolder:
    """The folder of one cluster below the checkout's ignored folder."""

    name: str
    root: Path = PROJECT / ".local"

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise LocalError(
                f"--name {self.name!r}: a cluster's name is 1 to 30 lower-case letters, digits and inner hyphens, "
                "for example --name default"
            )

    @property
    def path(self) -> Path:
        """The folder itself; it exists while the cluster does."""
        return self.root / self.name

    @property
    def known(self) -> bool:
        """Whether there are files of the cluster, if only its name in the index."""
        return self.path.exists() or (self.root / INDEX / self.name).exists()

    @property
    def id(self) -> str:
        """Eight hexadecimal digits from the checkout's path and the name."""
        return hashlib.sha256(f"{self.root}\0{self.name}".encode()).hexdigest()[:8]

    @property
    def group(self) -> str:
        """The cluster's control group, without a leading slash."""
        return f"rakazo-{self.id}"

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig."""
        return self.path / "kubeconfig"

    @property
    def pids(self) -> Path:
        """Folder of process records."""
        return self.path / "pids"

    @property
    def machines(self) -> Path:
        """Folder of the machines' states."""
        return self.path / "machines"

    def machine(self, name: str) -> Machine:
        """Return the machine of this name, running or not."""
        return Machine(name, self.path)

    def facts(self) -> Facts | None:
        """Return what the last complete start wrote; None when there was none."""
        try:
            return Facts(**json.loads((self.path / "cluster.json").read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def save(self, facts: Facts) -> None:
        """Write cluster.json so that a reader sees all of it or the one before."""
        draft = self.path / "cluster.json.draft"
        draft.write_text(json.dumps(asdict(facts), indent=2) + "\n")
        draft.replace(self.path / "cluster.json")

    def remember(self) -> None:
        """Keep the name apart from the folder, so that the cluster is found after the folder was deleted by hand."""
        (self.root / INDEX).mkdir(parents=True, exist_ok=True)
        (self.root / INDEX / self.name).touch()

    def remove(self) -> None:
        """Remove every file of the cluster, and the parent folders when it was the last one."""
        if self.path.exists():
            shutil.rmtree(self.path)
        (self.root / INDEX / self.name).unlink(missing_ok=True)
        for folder in (self.root / INDEX, self.root):
            with contextlib.suppress(OSError):  # others are in it, or it is not there
                folder.rmdir()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the cluster for changes; raises LocalError when another run does. The lock ends with the process."""
        self.root.mkdir(exist_ok=True)
        path = self.root / f".{self.name}.lock"
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                raise LocalError(
                    f"cluster {self.name} is being changed by another run of `rakazo-infra local`: wait for its end"
                ) from None
            # A run that has just ended may have removed the file that we opened.
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_ino == os.fstat(descriptor).st_ino:
                    break
            os.close(descriptor)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(descriptor)
            with contextlib.suppress(OSError):
                self.root.rmdir()


def names(root: Path = PROJECT / ".local") -> list[str]:
    """Return the clusters of this checkout: running or not, half started, or known by name alone."""
    found = [*root.glob("*/"), *(root / INDEX).glob("*")]
    return sorted({entry.name for entry in found if NAME.fullmatch(entry.name)})
