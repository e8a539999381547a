"""Where at Google a cluster is, and the project that pays for it."""

import re
from typing import Annotated

from pydantic import AfterValidator

_LOCATION = re.compile(r"([a-z]+-[a-z]+[0-9]+)(-[a-z])?")
_PROJECT = re.compile(r"[a-z][-a-z0-9]{4,28}[a-z0-9]")


def _checked_location(name: str) -> str:
    if not _LOCATION.fullmatch(name):
        raise ValueError(
            "is neither a zone nor a region of Google Cloud; write a zone such as europe-west3-a, whose cluster the "
            "monthly credit of GKE pays for (gcloud compute zones list)"
        )
    return name


def _checked_project(name: str) -> str:
    if not _PROJECT.fullmatch(name):
        raise ValueError(
            "is no project id: those have 6 to 30 lower-case letters, digits and hyphens; write the id and neither the "
            "name nor the number (gcloud projects list)"
        )
    return name


GkeLocation = Annotated[str, AfterValidator(_checked_location)]
Project = Annotated[str, AfterValidator(_checked_project)]


def is_zone(location: str) -> bool:
    """Whether a location is one zone; a region has three, and three control planes."""
    match = _LOCATION.fullmatch(location)
    return match is not None and match[2] is not None


def region_of(location: str) -> str:
    """Return the region in which a zone lies; a region lies in itself."""
    return location.rpartition("-")[0] if is_zone(location) else location
