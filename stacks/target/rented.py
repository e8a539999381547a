"""What every stack says that rents servers at Hetzner Cloud."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool

from stacks.base import Model
from stacks.target.admin_cidrs import AdminRanges
from stacks.target.location import Locations, zone_of

Image = Annotated[str, Field(pattern=r"^(debian|ubuntu)-[0-9]{2}(\.[0-9]{2})?$")]


class RentedTarget(Model):
    """Servers that are rented with their addresses and a firewall, all of them created and removed with the stack."""

    kind: Literal["hetzner"]
    """Which target this is."""
    locations: Locations
    """Where, as [fsn1]. Of several the first with stock is taken; what is there stays where it is."""
    image: Image = "debian-12"
    """Operating system of new servers. Changing it touches no server that exists."""
    admin_cidrs: AdminRanges
    """Who may reach SSH, and the Kubernetes API where there is one, as ["198.51.100.7/32"]; [] is nobody."""
    open_web: StrictBool = False
    """Whether ports 80 and 443 of every server answer the internet, for a proxy with TLS of yours on one of them."""
    protect: StrictBool = True
    """Whether servers and addresses are protected from being deleted, here and at Hetzner."""

    @property
    def zone(self) -> str:
        """The network zone."""
        return zone_of(self.locations)
