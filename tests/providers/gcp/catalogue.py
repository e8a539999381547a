"""What Google offers: a table for tests, not a price list."""

from dataclasses import dataclass, field
from typing import Final

_FAMILIES, _CORES = ("e2", "n1", "n2", "n2d", "c2", "t2a"), (2, 4, 8, 16)
MACHINES: Final = frozenset(
    {*(f"{family}-standard-{cores}" for family in _FAMILIES for cores in _CORES), "e2-micro", "e2-small", "e2-medium"}
)
NESTED: Final = ("n1", "n2", "c2")
"""Families with virtualization inside their machines; facts/targets.md C.2."""
ROLES_OF_NODES: Final = ("roles/container.defaultNodeServiceAccount", "roles/container.nodeServiceAccount")


@dataclass
class Catalogue:
    """The offer of one test, from which it may take what it likes."""

    versions: list[str] = field(
        default_factory=lambda: [
            "1.37.1-gke.1014000",
            "1.36.3-gke.1767000",
            "1.36.2-gke.1100000",
            "1.35.8-gke.1225000",
            "1.34.9-gke.1320000",
        ]
    )
    """Newest first, as the data source has them."""
    newest: dict[str, str] = field(
        default_factory=lambda: {
            "RAPID": "1.37.1-gke.1014000",
            "REGULAR": "1.36.3-gke.1767000",
            "STABLE": "1.35.8-gke.1225000",
            "EXTENDED": "1.36.3-gke.1767000",
        }
    )
    """Release channel to its newest version."""

    def resolve(self, version: str) -> str | None:
        """Return the newest version that begins so, as `1.36` or the whole of one; None when there is none."""
        return next((each for each in self.versions if each == version or each.startswith(f"{version}.")), None)


def may_nest(machine: str) -> bool:
    """Whether a machine type has virtualization inside it."""
    return machine.partition("-")[0] in NESTED
