"""What DigitalOcean offers: a small part of it, invented where nothing hangs on it."""

from dataclasses import dataclass, field

from tests.providers.values import Properties

REGIONS = ("ams3", "fra1", "nyc1")
NO_KUBERNETES = ("nyc2",)
"""Regions with Droplets and without clusters (B099)."""


@dataclass(frozen=True)
class Size:
    """One size of Droplets."""

    slug: str
    vcpus: int
    memory_mib: int
    node: bool = True
    """Whether it can be a node of a cluster."""

    def told(self) -> Properties:
        """Return it as the data source tells of it; prices are not known here."""
        return {
            "slug": self.slug,
            "available": True,
            "transfer": 1.0,
            "priceMonthly": 0.0,
            "priceHourly": 0.0,
            "memory": self.memory_mib,
            "vcpus": self.vcpus,
            "disk": 50,
            "regions": [*REGIONS, *NO_KUBERNETES],
            "gpuInfos": [],
        }


@dataclass
class Catalogue:
    """The offer of one account; a test changes it to be somewhere else in time."""

    versions: list[str] = field(default_factory=lambda: ["1.37.1-do.0", "1.36.3-do.0", "1.35.6-do.1"])
    """Newest first, as the API lists them."""
    sizes: tuple[Size, ...] = (
        Size("s-1vcpu-1gb", 1, 1024, node=False),
        Size("s-1vcpu-2gb", 1, 2048),
        Size("s-2vcpu-4gb", 2, 4096),
        Size("s-4vcpu-8gb", 4, 8192),
        Size("s-8vcpu-16gb", 8, 16384),
        Size("g-8vcpu-32gb", 8, 32768),
    )

    def is_node(self, slug: str) -> bool:
        """Whether nodes of this size can be had."""
        return any(size.slug == slug and size.node for size in self.sizes)
