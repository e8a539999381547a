"""Hetzner's server types, as far as a stack file can be wrong about them without asking Hetzner."""

import re
from typing import Annotated

from pydantic import AfterValidator

RETIRED = {
    **dict.fromkeys(("cx11", "cx21", "cx22"), "cx23"),
    **dict.fromkeys(("cx31", "cx32"), "cx33"),
    **dict.fromkeys(("cx41", "cx42"), "cx43"),
    **dict.fromkeys(("cx51", "cx52"), "cx53"),
}
"""Type that can no longer be ordered, to the one that took its place."""
EUROPE = "eu-central"
_SHAPE = re.compile(r"(cx|cpx|ccx|cax)[1-9][0-9]")


def _checked_server_type(name: str) -> str:
    if not _SHAPE.fullmatch(name):
        raise ValueError('is no server type of Hetzner Cloud; write one such as "cx43" (hcloud server-type list)')
    if name.startswith("cax"):
        raise ValueError(
            "is an Arm server, and the programs and images of a stack are for x86-64; write such as cx43 or ccx33"
        )
    if name in RETIRED:
        raise ValueError(f"is retired and can no longer be ordered; write {RETIRED[name]}")
    return name


ServerType = Annotated[str, AfterValidator(_checked_server_type)]


def refused_in_zone(name: str, zone: str) -> str | None:
    """Say why a type is sold nowhere in a network zone, or None when only Hetzner knows."""
    if name.startswith("cx") and zone != EUROPE:
        return f"{name} is sold in Europe only, and the locations lie in {zone}; write such as cpx41 or ccx33"
    return None
