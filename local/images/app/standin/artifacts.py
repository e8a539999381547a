"""Files shared by api and worker: `artifacts/<space>/<uuid>` below DATA_DIR."""

import re
import uuid
from pathlib import Path

FOLDER_MODE = 0o755


class Artifacts:
    """The artifacts below one DATA_DIR; two processes with different volumes do not see each other's."""

    def __init__(self, data: Path) -> None:
        self._root = data / "artifacts"

    def write(self, content: bytes, space: str = "default", name: str | None = None) -> str:
        """Store content and return its name.

        Raises:
            OSError: DATA_DIR is not writable.

        """
        name = name or str(uuid.uuid4())
        folder = self._root / space
        folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        (folder / name).write_bytes(content)
        return name

    def read(self, name: str, space: str = "default") -> bytes | None:
        """Return content, or None when this process's DATA_DIR does not hold it."""
        if not re.fullmatch(r"[0-9a-f-]{36}", name):
            return None
        path = self._root / space / name
        return path.read_bytes() if path.is_file() else None
