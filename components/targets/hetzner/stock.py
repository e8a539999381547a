"""Where the wanted server types can be had now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One server type at one location."""

    available: bool
    """Whether one can be ordered right now."""
    ends: str
    """Date from which on none can be ordered any more; empty: no end is announced."""


Offers = Mapping[str, Mapping[str, Offer]]
"""Server type to location to offer; a location that is missing never has the type."""


class NowhereError(ValueError):
    """A wanted type is not to be had; `for_now` tells whether waiting helps."""

    def __init__(self, message: str, *, for_now: bool) -> None:
        super().__init__(message)
        self.for_now = for_now


def choose_location(wanted: Sequence[str], offers: Offers) -> str:
    """Return the first location of `wanted` that has every type in stock; NowhereError when none has."""
    for location in wanted:
        if all(location in places and places[location].available for places in offers.values()):
            return location
    lines = [line for server_type in offers for line in _told(server_type, wanted, offers[server_type])]
    never = [kind for kind, places in offers.items() if not set(wanted) & set(places)]
    if never:
        raise NowhereError(f"settings.target.locations: no place offers every type. {' '.join(lines)}", for_now=False)
    raise NowhereError(
        f"settings.target.locations: none has every type in stock now. {' '.join(lines)} Nothing was ordered; try "
        "again later, add a location of the same zone, or write another type",
        for_now=True,
    )


def endings(location: str, offers: Offers) -> list[str]:
    """Return a warning for each type that can be had there for a while only."""
    return [
        f"{server_type} can be ordered in {location} until {places[location].ends} only; servers that have it keep it, "
        "a rebuilt one could not get it again"
        for server_type, places in offers.items()
        if location in places and places[location].ends
    ]


def _told(server_type: str, wanted: Sequence[str], places: Mapping[str, Offer]) -> list[str]:
    elsewhere = ", ".join(sorted(place for place, offer in places.items() if offer.available)) or "nowhere"
    lines = []
    for location in wanted:
        if location not in places:
            lines.append(f"{server_type} is never sold in {location} (in stock: {elsewhere}).")
        elif not places[location].available:
            lines.append(f"{server_type} is sold out in {location} (in stock: {elsewhere}).")
    return lines
