"""Kubernetes quantities (`500m`, `4Gi`) as exact numbers."""

import re
from decimal import Decimal
from fractions import Fraction

_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}
_DECIMAL = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 10**3),
    "": Fraction(1),
    "k": Fraction(10**3),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "T": Fraction(10**12),
    "P": Fraction(10**15),
    "E": Fraction(10**18),
}
_FORM = re.compile(
    r"(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:(?P<suffix>[KMGTPE]i|[numkMGTPE])|[eE](?P<power>[+-]?\d{1,2}))?"
)


def parse(text: str) -> Fraction:
    """Return the exact value in cores, bytes or pieces; ValueError says what a quantity looks like."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{text!r} is no Kubernetes quantity: write a number with an optional suffix, "
            "as in '500m', '2', '4Gi' or '10G'"
        )
    number = Fraction(Decimal(match["number"]))
    if match["power"] is not None:
        return number * Fraction(10) ** int(match["power"])
    suffix = match["suffix"] or ""
    return number * _BINARY[suffix] if suffix in _BINARY else number * _DECIMAL[suffix]


def format_cpu(cores: Fraction) -> str:
    """Cores as Kubernetes writes them: whole cores or millicores, rounded up as the API server does."""
    thousandths = -((-cores * 1000) // 1)
    return str(thousandths // 1000) if thousandths % 1000 == 0 else f"{thousandths}m"


def format_bytes(amount: Fraction) -> str:
    """Bytes with the largest binary suffix that keeps them exact, rounded up to a whole byte."""
    whole = -((-amount) // 1)
    for suffix, factor in reversed(_BINARY.items()):
        if whole and whole % factor == 0:
            return f"{whole // factor}{suffix}"
    return str(whole)


def total_cpu(count: int, *each: str) -> str:
    """`count` times the sum of the CPU quantities `each`."""
    return format_cpu(count * sum((parse(part) for part in each), Fraction(0)))


def total_bytes(count: int, *each: str) -> str:
    """`count` times the sum of the byte quantities `each`."""
    return format_bytes(count * sum((parse(part) for part in each), Fraction(0)))
