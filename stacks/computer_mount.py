"""A folder of the machine that computers see."""

import re
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, StrictBool

from stacks.base import Model

SYSTEM = frozenset(
    {"bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "root", "run", "sbin", "sys", "usr", "var"}
)
"""Folders below / with which, or with a part of which, a computer could change or read the machine itself, or lose
what it runs from."""
OF_SOMEBODY = frozenset({"home", "opt", "snap", "tmp"})
"""Folders below / of the machine's people and programs, such as the keys that let somebody log in."""
OF_THE_COMPUTER = frozenset({"home", "tmp"})
"""What a computer writes by itself: Docker would make the folder there as root, and Rakazo refuses a home with one."""
_PLAIN = re.compile(r"/[A-Za-z0-9._/-]*")


def _checked_path(text: str) -> str:
    if not _PLAIN.fullmatch(text) or str(PurePosixPath(text)) != text or ".." in PurePosixPath(text).parts:
        raise ValueError(
            "is not the plain path of a folder; write it from the root on, with letters, digits, dots, hyphens and "
            'underscores and no slash at its end, such as "/srv/handbook"'
        )
    return text


def _checked_source(text: str) -> str:
    parts = PurePosixPath(_checked_path(text)).parts
    if len(parts) == 1 or parts[1] in SYSTEM | OF_SOMEBODY:
        raise ValueError(
            "is or lies in a folder of the system or of its people, through which a computer could read or take over "
            'the machine and Docker itself; write a folder of its own, such as "/srv/handbook"'
        )
    return text


def _checked_target(text: str) -> str:
    parts = PurePosixPath(_checked_path(text)).parts
    if len(parts) == 1 or parts[1] in SYSTEM | OF_THE_COMPUTER:
        raise ValueError(
            "lies in a folder that the computer itself needs or writes, such as its home; write a place of its own, "
            'such as "/mnt/handbook"'
        )
    return text


class ComputerMount(Model):
    """One folder, the same one in every computer."""

    source: Annotated[str, AfterValidator(_checked_source)]
    """Folder of the machine, such as "/srv/handbook". It has to exist, and every person's computer reads all of it."""
    target: Annotated[str, AfterValidator(_checked_target)]
    """Where computers see it, such as "/mnt/handbook"."""
    read_only: StrictBool = True
    """Whether computers can only read it. With false every computer can change it for all others."""

    @property
    def spelled(self) -> str:
        """The mount as Rakazo's supervisor reads it."""
        return f"{self.source}:{self.target}:{'ro' if self.read_only else 'rw'}"
