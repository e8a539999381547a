"""What Hetzner offers where, and whether it is in stock: a table for tests, not a price list."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

Architecture = Literal["x86", "arm"]


@dataclass(frozen=True)
class Location:
    """A place with servers; pulumi-hcloud 1.43.3, get_location, and known-faults B029 for the zones."""

    id: int
    name: str
    city: str
    country: str
    network_zone: str


@dataclass(frozen=True)
class ServerType:
    """One size of server. Figures: OpenRouterLabs/spawn#786 (Feb 2026), devantler-tech/platform (May 2026)."""

    id: int
    name: str
    cores: int
    memory_gb: int
    disk_gb: int
    architecture: Architecture
    cpu: Literal["shared", "dedicated"]
    locations: tuple[str, ...]
    retired: bool = False
    """No longer to be ordered anywhere; servers that have it keep it."""


@dataclass(frozen=True)
class Image:
    """One operating system; official ones have a name. The ids are invented."""

    id: int
    name: str
    flavor: str
    version: str
    architecture: Architecture


LOCATIONS: Final = (
    Location(1, "fsn1", "Falkenstein", "DE", "eu-central"),
    Location(2, "nbg1", "Nuremberg", "DE", "eu-central"),
    Location(3, "hel1", "Helsinki", "FI", "eu-central"),
    Location(4, "ash", "Ashburn, VA", "US", "us-east"),
    Location(5, "hil", "Hillsboro, OR", "US", "us-west"),
    Location(6, "sin", "Singapore", "SG", "ap-southeast"),
)

EUROPE: Final = ("fsn1", "nbg1", "hel1")
OVERSEAS: Final = ("ash", "hil", "sin")

SERVER_TYPES: Final = (
    # Intel, in Europe only: mysticaltech/terraform-hcloud-kube-hetzner#1539. cx22 made room for cx23: testflows#96.
    ServerType(104, "cx22", 2, 4, 40, "x86", "shared", EUROPE, retired=True),
    ServerType(114, "cx23", 2, 4, 40, "x86", "shared", EUROPE),
    ServerType(115, "cx33", 4, 8, 80, "x86", "shared", EUROPE),
    ServerType(116, "cx43", 8, 16, 160, "x86", "shared", EUROPE),
    ServerType(117, "cx53", 16, 32, 320, "x86", "shared", EUROPE),
    # Arm, in Europe only: roots/trellis-cli#622, vitobotta/hetzner-k3s#204.
    ServerType(45, "cax11", 2, 4, 40, "arm", "shared", EUROPE),
    ServerType(93, "cax21", 4, 8, 80, "arm", "shared", EUROPE),
    ServerType(94, "cax31", 8, 16, 160, "arm", "shared", EUROPE),
    # AMD, overseas: roots/trellis-cli#622 (cpx11 in ash), known-faults C02.
    ServerType(22, "cpx11", 2, 2, 40, "x86", "shared", OVERSEAS),
    ServerType(24, "cpx31", 4, 8, 160, "x86", "shared", OVERSEAS),
    ServerType(25, "cpx41", 8, 16, 240, "x86", "shared", OVERSEAS),
    # Dedicated, everywhere.
    ServerType(96, "ccx13", 2, 8, 80, "x86", "dedicated", (*EUROPE, *OVERSEAS)),
    ServerType(97, "ccx23", 4, 16, 160, "x86", "dedicated", (*EUROPE, *OVERSEAS)),
    ServerType(98, "ccx33", 8, 32, 240, "x86", "dedicated", (*EUROPE, *OVERSEAS)),
)

IMAGES: Final = (
    Image(1001, "debian-12", "debian", "12", "x86"),
    Image(1002, "debian-12", "debian", "12", "arm"),
    Image(1003, "debian-13", "debian", "13", "x86"),
    Image(1004, "debian-13", "debian", "13", "arm"),
    Image(1005, "ubuntu-24.04", "ubuntu", "24.04", "x86"),
    Image(1006, "ubuntu-24.04", "ubuntu", "24.04", "arm"),
)

BALANCER_TYPES: Final = ("lb11", "lb21", "lb31")


@dataclass
class Catalogue:
    """The offer of one test, which may sell out and retire what it likes."""

    server_types: list[ServerType] = field(default_factory=lambda: list(SERVER_TYPES))
    sold_out: set[tuple[str, str]] = field(default_factory=set)
    """Server type and location, right now."""

    def sell_out(self, server_type: str, *locations: str) -> None:
        """Have none left, as far as `create` and the data sources are concerned; everywhere, when none is named."""
        offered = self.server_type(server_type)
        self.sold_out |= {(server_type, location) for location in locations or (offered.locations if offered else ())}

    def retire(self, server_type: str) -> None:
        """Sell this type no more."""
        self.server_types = [
            replace(each, retired=True) if each.name == server_type else each for each in self.server_types
        ]

    def server_type(self, name: str) -> ServerType | None:
        """Return a type by its name or id."""
        return next((each for each in self.server_types if name in (each.name, str(each.id))), None)

    def available(self, server_type: ServerType, location: str) -> bool:
        """Whether a server of this type could be had in this location now."""
        offered = location in server_type.locations and not server_type.retired
        return offered and (server_type.name, location) not in self.sold_out


def location(name: str) -> Location | None:
    """Return a location by its name."""
    return next((each for each in LOCATIONS if each.name == name), None)


def image(name: str, architecture: str) -> Image | None:
    """Return an image by its name or id, for an architecture."""
    return next(
        (each for each in IMAGES if each.architecture == architecture and name in (each.name, str(each.id))), None
    )
