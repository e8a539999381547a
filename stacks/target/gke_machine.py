"""Google's machine types, as far as a stack file can be wrong about them without asking Google."""

import re
from typing import Annotated

from pydantic import AfterValidator

from stacks.machine_type import is_arm

TOO_SMALL = frozenset({"f1-micro", "g1-small", "e2-micro", "e2-small", "e2-medium"})
"""Types with a part of a core: what Google runs on every node fills them."""
_SHAPE = re.compile(r"[a-z][0-9][a-z]?-[a-z]+(-[a-z0-9]+)*")


def _checked_machine_type(name: str) -> str:
    if not _SHAPE.fullmatch(name):
        raise ValueError(
            "is no machine type of Google; write one such as e2-standard-8 (gcloud compute machine-types list)"
        )
    if name in TOO_SMALL:
        raise ValueError(
            "has only a part of a core, which what Google runs on every node fills; write such as e2-standard-4"
        )
    return name


def _checked_system_type(name: str) -> str:
    if is_arm("gke", name):
        raise ValueError("has an Arm processor, and the images of a stack are for x86-64; write such as e2-standard-4")
    return name


MachineType = Annotated[str, AfterValidator(_checked_machine_type)]
SystemMachineType = Annotated[MachineType, AfterValidator(_checked_system_type)]
"""The types of computers are judged together with their runtime."""
