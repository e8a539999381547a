"""Files of a computer, through commands in it: the supervisor never opens what a bot may have put there."""

import json
from typing import Any

from .container import environment
from .desktop import HOME
from .docker_engine import DockerEngine
from .workspaces import relative

LARGEST = 16 << 20
"""Characters of base64 in one request or answer."""
LARGEST_CONTENT = LARGEST // 4 * 3
"""Bytes of a file that are so many characters."""
TOO_LARGE = 42
READ = """
import base64, sys
limit = int(sys.argv[2])
with open(sys.argv[1], "rb") as file:
    content = file.read(limit + 1)
if limit < len(content):
    sys.exit(42)
sys.stdout.write(base64.b64encode(content).decode())
"""
WRITE = """
import os, sys
target = sys.argv[1]
os.makedirs(os.path.dirname(target), exist_ok=True)
with open(target, "wb") as file:
    file.write(sys.stdin.buffer.read())
os.chmod(target, int(sys.argv[2], 8))
"""
LIST = """
import json, os, stat, sys
found = []
for entry in os.scandir(sys.argv[1]):
    if entry.is_symlink():
        continue
    kind = "dir" if entry.is_dir(follow_symlinks=False) else "file"
    path = "/".join(part for part in (sys.argv[2], entry.name) if part)
    found.append({"path": path, "kind": kind, "size": entry.stat(follow_symlinks=False).st_size})
print(json.dumps(sorted(found, key=lambda one: one["path"])))
"""


class NoFileError(Exception):
    """There is no such file or folder."""


class TooLargeError(Exception):
    """The file has more bytes than the caller wants."""


class ContainerFiles:
    """Files below the homes of computers."""

    def __init__(self, docker: DockerEngine) -> None:
        self._docker = docker

    async def listed(self, container: str, path: str) -> list[dict[str, Any]]:
        """Return what a folder holds; the empty path is the home.

        Raises:
            NoFileError: there is no such folder.

        """
        folder = f"{HOME}/{relative(path)}" if path else HOME
        entries: list[dict[str, Any]] = json.loads(await self._python(container, LIST, folder, path))
        return entries

    async def read(self, container: str, path: str, limit: int) -> str:
        """Return a file's content, base64.

        Raises:
            NoFileError: there is none.
            TooLargeError: it has more than `limit` bytes.

        """
        return (await self._python(container, READ, f"{HOME}/{relative(path)}", str(limit))).decode()

    async def write(self, container: str, path: str, content: bytes, *, executable: bool) -> None:
        """Write a file and the folders above it.

        Raises:
            NoFileError: it cannot be written there.

        """
        mode = "700" if executable else "600"
        await self._python(container, WRITE, f"{HOME}/{relative(path)}", mode, stdin=content)

    async def _python(self, container: str, script: str, *words: str, stdin: bytes | None = None) -> bytes:
        options = {"Cmd": ["python3", "-I", "-c", script, *words], "WorkingDir": HOME, "Env": environment()}
        done = await self._docker.execute(container, options, stdin)
        if done.exit_code == TOO_LARGE:
            raise TooLargeError(f"computer file exceeds {words[1]} bytes")
        if done.exit_code:
            raise NoFileError((done.stderr or done.stdout).decode(errors="replace").strip() or "file not found")
        return done.stdout
