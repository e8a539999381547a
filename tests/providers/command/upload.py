"""What is copied to a machine, and where it lands there."""

import asyncio
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncssh

from tests.providers.call import Call
from tests.providers.command.connection import Connection
from tests.providers.command.dial import connected, interruptible
from tests.providers.command.surroundings import Surroundings
from tests.providers.refused import RefusedError
from tests.providers.values import ASSET, SIGNATURE


@dataclass(frozen=True, kw_only=True)
class Upload:
    """Files, and what they are called as a whole."""

    files: Sequence[tuple[str, bytes]] = field(repr=False)
    """Path below the target, empty for the target itself, and content."""
    name: str = ""
    """Their name below a target that is a folder; empty when they have none."""

    def send(self, target: str, connection: Connection, surroundings: Surroundings, call: Call) -> None:
        """Copy them to a machine over SFTP, parents included; RefusedError says what the machine answered."""
        asyncio.run(self._send(target, connection, surroundings, call))

    async def _send(self, target: str, connection: Connection, surroundings: Surroundings, call: Call) -> None:
        async with connected(connection, surroundings, call) as reached:
            try:
                await interruptible(self._copy(reached, target), call.gone.is_set)
            except (OSError, asyncssh.Error) as error:
                raise RefusedError(f"failed to copy to remote path {target}: {error}") from None

    async def _copy(self, reached: asyncssh.SSHClientConnection, target: str) -> None:
        """Folders land below the target under their own name; a file does so only when the target is a folder."""
        single = [path for path, _ in self.files] == [""]
        async with reached.start_sftp_client() as sftp:
            is_folder = await sftp.isdir(target)
            if single and is_folder and not self.name:
                raise RefusedError(
                    f"remote path {target} is a directory; when using a text asset, remotePath must be a file path"
                )
            if not single and await sftp.isfile(target):
                raise RefusedError(f"remote path {target} exists but is not a directory")
            base = posixpath.join(target, self.name) if is_folder or not single else target
            for path, data in self.files:
                goal = posixpath.join(base, path).rstrip("/")
                await sftp.makedirs(posixpath.dirname(goal), exist_ok=True)
                async with sftp.open(goal, "wb") as file:
                    await file.write(data)


def contents(source: Mapping[str, Any], folder: Path) -> Upload:
    """Return what an asset or archive holds; RefusedError for a file that is not there or is fetched from afar."""
    if "text" in source:
        return Upload(files=[("", source["text"].encode())])
    if "path" in source:
        path = folder / source["path"]
        return Upload(files=list(_tree(path)), name="" if source["path"].endswith("/") else path.name)
    if "assets" in source:
        files = [
            (posixpath.join(name, inner).rstrip("/"), data)
            for name, asset in source["assets"].items()
            for inner, data in contents(asset, folder).files
        ]
        return Upload(files=files)
    kind = "asset" if source[SIGNATURE] == ASSET else "archive"
    raise RefusedError(f"the stand-in fetches nothing: source is a remote {kind}")


def _tree(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_file():
        yield "", path.read_bytes()
    elif path.is_dir():
        for file in sorted(each for each in path.rglob("*") if each.is_file()):
            yield str(file.relative_to(path)), file.read_bytes()
    else:
        raise RefusedError(f"open {path}: no such file or directory")
