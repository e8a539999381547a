"""Hetzner's locations, and the network zone that each lies in."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

ZONES = {
    "fsn1": "eu-central",
    "nbg1": "eu-central",
    "hel1": "eu-central",
    "ash": "us-east",
    "hil": "us-west",
    "sin": "ap-southeast",
}
"""Location to network zone; a private network lies in one zone alone. Read from Hetzner's API, November 2026."""
_DATA_CENTRE = re.compile(r"([a-z]+[0-9]?)-dc[0-9]+")


def _checked_location(name: str) -> str:
    if name in ZONES:
        return name
    match = _DATA_CENTRE.fullmatch(name)
    if match is not None and match[1] in ZONES:
        raise ValueError(f"is a data centre, which Hetzner no longer takes since 1 July 2026; write {match[1]}")
    raise ValueError(f"is no location of Hetzner Cloud; write one of {', '.join(ZONES)}")


Location = Annotated[str, AfterValidator(_checked_location)]


def zone_of(locations: tuple[str, ...]) -> str:
    """Return the one network zone of all the locations; ValueError when there are several."""
    zones = {ZONES[location] for location in locations}
    if len(zones) > 1:
        told = ", ".join(f"{location} ({ZONES[location]})" for location in locations)
        raise ValueError(
            f"lie in several network zones, and a private network has one: {told}; write locations of one zone"
        )
    return zones.pop()


def _checked_locations(locations: tuple[str, ...]) -> tuple[str, ...]:
    zone_of(locations)
    return tuple(dict.fromkeys(locations))


Locations = Annotated[tuple[Location, ...], Field(min_length=1), AfterValidator(_checked_locations)]
