"""Kubernetes quantities: text that names an amount of cpu, memory or storage."""

import re
from typing import Annotated

from pydantic import AfterValidator

_CPU = re.compile(r"(?P<milli>[1-9][0-9]*)m|(?P<cores>[0-9]+(\.[0-9]{1,3})?)")
_BYTES = re.compile(r"(?P<number>[1-9][0-9]*)(?P<unit>Ki|Mi|Gi|Ti|k|M|G|T|)")
_UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_UNITS |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


def cpu_millis(quantity: str) -> int:
    """Thousandths of a core in `2`, `0.5` or `500m`; anything else or nothing at all is a ValueError."""
    match = _CPU.fullmatch(quantity)
    if match is None:
        raise ValueError('is not an amount of cpu; write cores or thousandths, such as "2" or "500m"')
    millis = int(match["milli"]) if match["milli"] else round(float(match["cores"]) * 1000)
    if millis == 0:
        raise ValueError('is no cpu at all; write at least "1m"')
    return millis


def size_bytes(quantity: str) -> int:
    """Bytes in `4Gi`, `512Mi` or `2G`; anything else is a ValueError.

    Fractions are refused: Kubernetes rounds them, and what is booked is then not what was written.
    """
    match = _BYTES.fullmatch(quantity)
    if match is None:
        raise ValueError('is not a size; write a whole number with its unit, such as "512Mi" or "4Gi"')
    return int(match["number"]) * _UNITS[match["unit"]]


def _checked_cpu(quantity: str) -> str:
    cpu_millis(quantity)
    return quantity


def _checked_size(quantity: str) -> str:
    size_bytes(quantity)
    return quantity


Cpu = Annotated[str, AfterValidator(_checked_cpu)]
Size = Annotated[str, AfterValidator(_checked_size)]
