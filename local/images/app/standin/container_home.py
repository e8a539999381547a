"""A computer's home: a folder of DATA_DIR, mounted from where the machine has it, and never changed from here."""

import os
import stat
from pathlib import Path, PurePosixPath
from typing import Any

from .desktop import HOME, USER


class HomeError(Exception):
    """The home is not the bot's, is not there, or is not the computer's to write."""


def home_mount(data: PurePosixPath, bot: str, given: str, supervisor: dict[str, Any]) -> dict[str, Any]:
    """Return the mount of the bot's home as Docker knows the folder: by where the supervisor's own /data is from.

    Raises:
        HomeError: another folder was asked for, or the supervisor has no mount at DATA_DIR.

    """
    if given != str(data / "homes" / bot) or bot in {".", ".."} or "/" in bot:
        raise HomeError("computer home must be the bot's home directory")
    mounted = next((each for each in supervisor["Mounts"] if each["Destination"] == str(data)), None)
    if mounted is None:
        raise HomeError(f"the supervisor has nothing mounted at {data}: mount what api and worker mount there")
    if mounted["Type"] == "volume":
        folder = {"Subpath": f"homes/{bot}", "NoCopy": True}
        return {"Type": "volume", "Source": mounted["Name"], "Target": HOME, "VolumeOptions": folder}
    return {"Type": "bind", "Source": f"{mounted['Source']}/homes/{bot}", "Target": HOME}


def require_writable(home: Path, user: int = USER) -> None:
    """Prove that a computer can write all of its home. Symbolic links in it are not followed.

    Raises:
        HomeError: it cannot; says which file and what to run.

    """
    if home.is_symlink() or not home.is_dir():
        raise HomeError(f"computer home {home} is no folder; api and worker make it before they ask for a computer")
    _require(home, user)
    for folder, folders, files in os.walk(home, onerror=_unreadable):
        for name in (*folders, *files):
            _require(Path(folder, name), user)


def _require(path: Path, user: int) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return  # a computer that runs removes files, too
    if stat.S_ISLNK(found.st_mode):
        return
    wanted = 0o7 if stat.S_ISDIR(found.st_mode) else 0o2
    shift = 6 if found.st_uid == user else 3 if found.st_gid == user else 0
    is_own_file = found.st_uid == user and not stat.S_ISDIR(found.st_mode)
    if not is_own_file and (found.st_mode >> shift) & wanted != wanted:
        raise HomeError(f"{path} is not writable by uid {user}; run chown -R {user}:{user} on the home")


def _unreadable(error: OSError) -> None:
    why = f"the supervisor cannot look into {error.filename} ({error.strerror})"
    raise HomeError(f"{why}; it needs root's right to search folders of others (DAC_READ_SEARCH)") from error
