"""One process tree run from an image's archive, in namespaces of its own, without a cluster."""

import json
import os
import shlex
import signal
import subprocess
import tarfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local.images import ImageArchive

DEADLINE = 60.0
"""Seconds for any state that a test waits for; Postgres' first start took 2 to 10 on two busy cores."""

ADDRESS = "10.99.99.1"
"""Of every container, on its loopback link: a client there is a stranger to rules about 127.0.0.1."""


def unpack(image: ImageArchive, root: Path) -> dict[str, Any]:
    """Unpack all layers into a directory; return the image's configuration."""
    with tarfile.open(image.archive) as archive:
        manifest = _blob(archive, image.digest)
        for layer in manifest["layers"]:
            stream = archive.extractfile(_path(layer["digest"]))
            assert stream is not None
            subprocess.run(
                ["tar", "--extract", "--numeric-owner", "--same-permissions", f"--directory={root}"],
                input=stream.read(),
                check=True,
            )
        configuration: dict[str, Any] = _blob(archive, manifest["config"]["digest"])["config"]
    return configuration


@dataclass(frozen=True)
class Confinement:
    """What a pod's security context takes away; the default is what Rakazo's pods set."""

    no_new_privileges: bool = True
    drop_capabilities: bool = True

    def arguments(self) -> list[str]:
        """Say it in setpriv's options."""
        dropped = ["--bounding-set=-all", "--inh-caps=-all"] if self.drop_capabilities else []
        return dropped + (["--no-new-privs"] if self.no_new_privileges else [])


@dataclass
class Container:
    """A started image: read-only root, no network but loopback, the given user and no capabilities."""

    root: Path
    user: int
    environment: Mapping[str, str]
    volumes: Mapping[str, Path]
    """Writable places: path inside → directory outside."""
    log: Path
    confinement: Confinement = field(default_factory=Confinement)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self, command: Sequence[str]) -> None:
        """Start the command as the first process of its namespace."""
        for place in self.volumes:
            (self.root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
        root = shlex.quote(str(self.root))
        steps = [
            "ip link set lo up",
            f"ip address add {ADDRESS}/32 dev lo",
            "mount --make-rprivate /",
            f"mount --bind {root} {root}",
            f"mount -o remount,bind,ro {root}",
            f"mount -t proc proc {root}/proc",
            f"mount --rbind /dev {root}/dev",
            f"mount -t tmpfs tmpfs {root}/dev/shm",
            f"mount -t tmpfs -o mode=1777 tmpfs {root}/tmp",
        ]
        steps += [
            f"mount --bind {shlex.quote(str(outside))} {root}{shlex.quote(inside)}"
            for inside, outside in self.volumes.items()
        ]
        steps.append(f"exec {shlex.join(self._inside(command))}")
        unshare = ["unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child"]
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [*unshare, "sh", "-ec", "\n".join(steps)], stdout=output, stderr=subprocess.STDOUT
            )

    def run(self, command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one more command inside."""
        enter = ["nsenter", f"--target={self._first()}", "--mount", "--pid", "--net", "--ipc", "--uts"]
        return subprocess.run(
            [*enter, *self._inside(command, **environment)],
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )

    def until(self, command: Sequence[str]) -> None:
        """Repeat a command until it succeeds; AssertionError with the log if the container ends before."""
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            assert self._process is not None
            assert self._process.poll() is None, f"ended while {command} was awaited:\n{self.text}"
            if self._alive() and self.run(command).returncode == 0:
                return
            time.sleep(0.1)  # the poll's interval
        raise AssertionError(f"{command} did not succeed within {DEADLINE:.0f} s:\n{self.text}")

    def wait(self) -> int:
        """Return the exit status once it has ended."""
        assert self._process is not None
        try:
            return self._process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {DEADLINE:.0f} s:\n{self.text}") from None

    def stop(self, number: signal.Signals) -> int:
        """Send a signal to the first process and return its exit status."""
        subprocess.run(["kill", f"-{number.value}", str(self._first())], check=True)
        return self.wait()

    def end(self) -> None:
        """End whatever is left; for a test's clean-up.

        The first process by its own number: it took another user, which made it forget to end with its parent.
        """
        if self._process is not None and self._process.poll() is None:
            for child in _children(self._process.pid):
                os.kill(child, signal.SIGKILL)
            self._process.kill()
            self._process.wait()

    @property
    def text(self) -> str:
        """All that it printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def _inside(self, command: Sequence[str], **environment: str) -> list[str]:
        variables = [f"{key}={value}" for key, value in {**self.environment, **environment}.items()]
        drop = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
        drop += self.confinement.arguments()
        chroot = ["chroot", str(self.root), "/usr/bin/env", "-i", *variables, *drop, *command]
        return ["/usr/bin/env", *chroot]

    def _alive(self) -> bool:
        assert self._process is not None
        return bool(_children(self._process.pid))

    def _first(self) -> int:
        assert self._process is not None
        (child,) = _children(self._process.pid)
        return child


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _path(digest: str) -> str:
    return f"blobs/sha256/{digest.removeprefix('sha256:')}"


def _blob(archive: tarfile.TarFile, digest: str) -> dict[str, Any]:
    stream = archive.extractfile(_path(digest))
    assert stream is not None
    content: dict[str, Any] = json.load(stream)
    return content
