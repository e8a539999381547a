"""Regions and availability zones of AWS."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

FEWEST, MOST = 2, 3
"""Zones: EKS takes no cluster in one, and a fourth makes nothing safer."""
_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-[0-9]")
_ELSEWHERE = ("cn-", "us-gov-", "us-iso", "eu-isoe-", "eusc-")
"""Regions of other partitions, whose ARNs and endpoints have other names."""


def _checked_region(name: str) -> str:
    if not _REGION.fullmatch(name):
        raise ValueError('is no region of AWS; write one such as "eu-central-1"')
    if name.startswith(_ELSEWHERE):
        raise ValueError("lies in a partition of its own (China, government), which is not offered; write another")
    return name


def _checked_zones(zones: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(zones)) != len(zones):
        raise ValueError("name one zone twice; each subnet lies in a zone of its own")
    if not FEWEST <= len(zones) <= MOST:
        raise ValueError(f"are {len(zones)}: EKS needs two, and more than three make nothing safer; write two or three")
    return zones


def refused_zone(zone: str, region: str) -> str | None:
    """Say why a zone is none of the region, or None."""
    if re.fullmatch(f"{region}[a-z]", zone):
        return None
    return f"{zone} is no availability zone of {region}; write such as {region}a"


Region = Annotated[str, AfterValidator(_checked_region)]
Zones = Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_checked_zones)]
"""Two or three zones. Nothing of a cluster that exists moves to another zone, so the first stays the first."""
