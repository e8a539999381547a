"""DigitalOcean's regions, and the addresses that each keeps for itself."""

from ipaddress import ip_network
from typing import Annotated

from pydantic import AfterValidator

REGIONS = {
    "ams3": "10.18.0.0/16",
    "atl1": "10.50.0.0/16",
    "blr1": "10.47.0.0/16",
    "fra1": "10.19.0.0/16",
    "lon1": "10.16.0.0/16",
    "nyc1": "10.10.0.0/16",
    "nyc3": "10.17.0.0/16",
    "sfo3": "10.48.0.0/16",
    "sgp1": "10.15.0.0/16",
    "syd1": "10.49.0.0/16",
    "tor1": "10.29.0.0/16",
}
"""Region to what no VPC in it may use (docs.digitalocean.com, VPC limits, September 2025)."""
CLOSED = frozenset({"ams2", "nyc2", "sfo1", "sfo2"})
"""Regions for those who have something there already."""
EVERYWHERE = ("10.229.0.0/16", "10.244.0.0/16", "10.245.0.0/16", "10.246.0.0/24")
"""What no VPC of any region may use (the same page)."""


def _checked_region(name: str) -> str:
    if name in REGIONS:
        return name
    known = f"write one of {', '.join(REGIONS)}"
    if name in CLOSED:
        raise ValueError(f"is a region in which DigitalOcean makes no new clusters; {known}")
    raise ValueError(f"is no region of DigitalOcean; {known}")


Region = Annotated[str, AfterValidator(_checked_region)]


def reserved(region: str, text: str) -> str | None:
    """Return the range of DigitalOcean's own that a range meets, or None."""
    wanted = ip_network(text)
    return next((own for own in (*EVERYWHERE, REGIONS[region]) if ip_network(own).overlaps(wanted)), None)
