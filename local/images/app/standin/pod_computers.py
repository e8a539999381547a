"""Computers as pods: made by api and worker themselves, their homes saved and restored through exec."""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

from . import pod
from .desktop import CONTROL_PORT, HOME, SCREEN_TOKENS, VIEW_PORT, home_key
from .kubernetes import Kubernetes, KubernetesError
from .provider import ComputerError, Execution, Place, Started
from .sandbox_settings import KubernetesSandbox
from .workspaces import Workspaces, content_of, one_file

POLL = 0.25
READY_SECONDS = 120
DIAL_SECONDS = 20


class PodComputers:
    """The computers of one namespace."""

    kind = "kubernetes"

    def __init__(self, kubernetes: Kubernetes, settings: KubernetesSandbox, workspaces: Workspaces) -> None:
        self._kubernetes = kubernetes
        self._settings = settings
        self._workspaces = workspaces

    async def start(self, name: str) -> Started:
        """Return the computer, made and restored when none runs.

        Raises:
            KubernetesError: the API server refused it, or it was not ready within 120 s.

        """
        found, created = await self._running_pod(name)
        try:
            restored = await self._restore(name) if created else False
        except BaseException:
            # Left running it would pass for a restored one, and its empty home would be saved next.
            await self._kubernetes.delete(name)
            raise
        return Started(place=_place(found), created=created, restored=restored)

    async def find(self, name: str) -> Place | None:
        """Return where the pod runs; None when it is gone or over."""
        found = await self._kubernetes.get(name)
        if found is None or pod.is_over(found) or not found.get("status", {}).get("podIP"):
            return None
        return _place(found)

    async def end(self, name: str) -> None:
        """Delete the pod and wait until it is gone."""
        await self._kubernetes.delete(name)
        deadline = time.monotonic() + READY_SECONDS
        while await self._kubernetes.get(name) is not None:
            if time.monotonic() > deadline:
                raise KubernetesError(0, f"{name} was deleted but is still there after {READY_SECONDS} s")
            await asyncio.sleep(POLL)

    async def execute(self, name: str, command: list[str], stdin: bytes | None = None) -> Execution:
        """Run a command in the computer."""
        return await self._kubernetes.execute(name, command, timeout=self._settings.command_timeout, stdin=stdin)

    async def write(self, name: str, path: str, content: bytes) -> None:
        """Unpack a tar with the one file."""
        done = await self.execute(name, ["tar", "-C", HOME, "-xf", "-"], one_file(path, content))
        if done.exit_code:
            raise ComputerError(f"tar: {done.stderr.decode(errors='replace')}")

    async def read(self, name: str, path: str) -> bytes:
        """Pack a tar with the one file."""
        done = await self.execute(name, ["tar", "-C", HOME, "-cf", "-", "--", path])
        if done.exit_code:
            raise FileNotFoundError(f"tar: {done.stderr.decode(errors='replace')}")
        return content_of(done.stdout)

    async def save(self, name: str) -> int:
        """Copy the home into DATA_DIR and return how many files it had."""
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / "home.tar"
            with archive.open("wb") as written:
                done = await self._kubernetes.execute(
                    name,
                    ["tar", "-C", HOME, "--ignore-failed-read", "-cf", "-", "."],
                    timeout=self._settings.command_timeout,
                    sink=written.write,
                )
            # 1 means that a file changed while it was read: the copy is still whole.
            if done.exit_code > 1:
                raise KubernetesError(0, f"saving {name} failed: {done.stderr.decode(errors='replace')}")
            return await asyncio.to_thread(self._workspaces.save, home_key(name), archive)

    async def control_token(self, name: str) -> str:
        """Read the token that the computer made for itself."""
        done = await self.execute(name, ["cut", "-d:", "-f1", SCREEN_TOKENS])
        if done.exit_code:
            raise ComputerError(f"the gateway has no token: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode().split()[0]

    async def dial(self, place: Place) -> dict[str, bool]:
        """Tell which of the two screen ports this process reaches within 20 s, by port."""
        ports = (VIEW_PORT, CONTROL_PORT)
        reached = await asyncio.gather(*(_reaches(place.address, port) for port in ports))
        return {str(port): one for port, one in zip(ports, reached, strict=True)}

    async def _running_pod(self, name: str) -> tuple[dict[str, Any], bool]:
        """Return a ready pod and whether this call created it; one that ended is replaced."""
        existing = await self._kubernetes.get(name)
        if existing is not None and pod.is_over(existing):
            await self.end(name)
            existing = None
        # Not asked for while one is there: a full quota would answer 403 before AlreadyExists.
        created = existing is None and await self._kubernetes.create(pod.manifest(name, self._settings))
        deadline = time.monotonic() + READY_SECONDS
        found: dict[str, Any] | None = None
        while time.monotonic() < deadline:
            found = await self._kubernetes.get(name)
            if found is not None and pod.is_ready(found):
                return found, created
            if found is not None and pod.is_over(found):
                break
            await asyncio.sleep(POLL)
        why = pod.explanation(found) if found else "its pod vanished"
        raise KubernetesError(0, f"{name} was not ready within {READY_SECONDS} s: {why}")

    async def _restore(self, name: str) -> bool:
        archive = await asyncio.to_thread(self._workspaces.load, home_key(name))
        if archive is None:
            return False
        done = await self.execute(name, ["tar", "-C", HOME, "-xf", "-"], archive)
        if done.exit_code:
            raise KubernetesError(0, f"restoring {name} failed: {done.stderr.decode(errors='replace')}")
        return True


async def _reaches(address: str, port: int) -> bool:
    deadline = time.monotonic() + DIAL_SECONDS
    while (left := deadline - time.monotonic()) > 0:
        try:
            _, writer = await asyncio.wait_for(asyncio.open_connection(address, port), left)
        except (OSError, TimeoutError):
            await asyncio.sleep(POLL)
            continue
        writer.close()
        return True
    return False


def _place(found: dict[str, Any]) -> Place:
    spec, status = found["spec"], found["status"]
    return Place(
        address=str(status["podIP"]),
        image=str(spec["containers"][0]["image"]),
        phase=status.get("phase"),
        node=spec.get("nodeName"),
        runtime_class=spec.get("runtimeClassName"),
    )
