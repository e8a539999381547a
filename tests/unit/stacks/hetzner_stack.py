"""The committed stack of one rented server, with changes by key path."""

from functools import partial
from typing import Any

from stacks.target import HetznerTarget
from tests.unit.stacks import committed

document = partial(committed.document, "hetzner")
refusals = partial(committed.refusals, "hetzner")
accepted = partial(committed.accepted, "hetzner")


def target(name: str = "hetzner", **changes: Any) -> HetznerTarget:
    """Return its target, or that of another stack of rented servers."""
    found = committed.accepted(name, **changes).target
    assert isinstance(found, HetznerTarget)
    return found
