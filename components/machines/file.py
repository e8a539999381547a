"""Files for a machine, and the one command that delivers them."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname

LIBRARY = "/usr/local/lib/rakazo-infra"
"""Where a machine keeps what was delivered to it."""
STATE = "/var/lib/rakazo-infra"
"""Where the steps keep what they know; `stack` is there from the first one on until everything was removed."""
OWNER = "owner"
"""File of the library: what runs on the machine, `docker` or `k3s`, a blank, and the stack whose it is."""
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


_GUARD = """\
if [ -e {state}/stack ]; then
  there="$(cat {library}/owner 2>/dev/null)" || {{
    # Delivered to before deliveries said whose they are.
    kind='{owner}'
    kind="${{kind%% *}}"
    [ ! -e {state}/docker ] || kind=docker
    [ ! -e {state}/k3s-version ] || kind=k3s
    there="$kind $(cat {state}/stack)"
  }}
  [ "$there" = '{owner}' ] || {{
    echo "error: this machine runs ${{there%% *}} for the stack ${{there#* }}, and this is '{owner}'. Nothing was \
changed; destroy that stack first, with the settings that it had" >&2
    exit 1
  }}
fi"""


def render_delivery(files: Iterable[File], owner: str, root: str = "") -> str:
    """Return a POSIX script that makes the library hold exactly these files, at once or not at all.

    It writes nothing on a machine that is another owner's: whoever destroys that one needs the scripts that are there.
    `root` is a folder that is taken for a machine. ValueError for a file that could not be told from what stands
    around it.
    """
    library = f"{root}{LIBRARY}"
    new, modes = f"{library}.new", dict[str, list[str]]()
    texts = []
    for file in [*files, File(path=OWNER, content=f"{owner}\n")]:
        if not file.content.endswith("\n") or END in file.content or "'" in file.path or file.path.startswith("/"):
            raise ValueError(f"{file.path}: has an absolute path, no newline at its end, or the line {END}")
        target = f"'{new}/{file.path}'"
        texts.append(f"cat >{target} <<'{END}'\n{file.content}{END}")
        modes.setdefault(file.mode, []).append(target)
    folders = sorted({f"'{new}'", *(f"{dirname(target)}'" for targets in modes.values() for target in targets)})
    lines = [
        "set -eu",
        "umask 022",
        _GUARD.format(owner=owner, library=library, state=f"{root}{STATE}"),
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


def render_removal(owner: str, name: str = "") -> str:
    """Return the POSIX command that runs the library's `remove`, unless what is there is another owner's.

    `name` is the machine's, where a machine can be called otherwise by the time that its removal is due.
    """
    ours = f'test ! -x {LIBRARY}/remove || ! grep -qxF "{owner}" {LIBRARY}/{OWNER}'
    remove = f"{LIBRARY}/remove {name}".rstrip()
    return f"sh -c '{ours} || exec {remove}'"
