"""The committed stack at DigitalOcean, with changes by key path."""

from functools import partial
from typing import Any

from stacks.target import DigitalOceanTarget
from tests.unit.stacks import committed

document = partial(committed.document, "digitalocean")
refusals = partial(committed.refusals, "digitalocean")
accepted = partial(committed.accepted, "digitalocean")


def target(**changes: Any) -> DigitalOceanTarget:
    """Return its target."""
    found = accepted(**changes).target
    assert isinstance(found, DigitalOceanTarget)
    return found
