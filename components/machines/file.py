"""Files for a machine, and the one command that delivers them."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname

LIBRARY = "/usr/local/lib/rakazo-infra"
"""Where a machine keeps what was delivered to it."""
END = "END_OF_FILE_OF_RAKAZO_INFRA"


@dataclass(frozen=True, kw_only=True)
class File:
    """A text file of a machine."""

    path: str
    """Absolute, or relative to the library."""
    content: str
    mode: str = "644"


def script(folder: Path, name: str, *, path: str = "", mode: str = "755") -> File:
    """Return a script of this project as it lies in `folder`."""
    return File(path=path or name, content=(folder / name).read_text(encoding="utf-8"), mode=mode)


def staged(step: str, files: Iterable[File]) -> list[File]:
    """Return files with absolute paths as they are delivered: the step `place`s them when it is its turn."""
    return [File(path=f"staged/{step}{file.path}", content=file.content, mode=file.mode) for file in files]


def digest(files: Iterable[File]) -> str:
    """Return a short name for what all of the files say together."""
    told = "\0".join(f"{file.path}\0{file.mode}\0{file.content}" for file in files)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def render_delivery(files: Iterable[File], library: str = LIBRARY) -> str:
    """Return a POSIX script that makes the library hold exactly these files, at once or not at all.

    ValueError for a file that could not be told from what stands around it.
    """
    new, modes = f"{library}.new", dict[str, list[str]]()
    texts = []
    for file in files:
        if not file.content.endswith("\n") or END in file.content or "'" in file.path or file.path.startswith("/"):
            raise ValueError(f"{file.path}: has an absolute path, no newline at its end, or the line {END}")
        target = f"'{new}/{file.path}'"
        texts.append(f"cat >{target} <<'{END}'\n{file.content}{END}")
        modes.setdefault(file.mode, []).append(target)
    folders = sorted({f"'{new}'", *(f"{dirname(target)}'" for targets in modes.values() for target in targets)})
    lines = [
        "set -eu",
        "umask 022",
        f"rm -rf {new} {library}.old",
        f"mkdir -p {' '.join(folders)}",
        "umask 077",
        *texts,
    ]
    lines += [f"chmod {mode} {' '.join(targets)}" for mode, targets in modes.items()]
    lines += [
        f"if [ -e {library} ]; then mv {library} {library}.old; fi",
        f"mv {new} {library}",
        f"rm -rf {library}.old",
    ]
    return "\n".join(lines) + "\n"
