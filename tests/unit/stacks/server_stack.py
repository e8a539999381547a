"""The committed stack of machines over SSH, with changes by key path."""

from functools import partial
from typing import Any

from stacks.target import ServerTarget
from tests.unit.stacks import committed

KEYS = [f"ssh-ed25519 {'AAAAC3NzaC1lZDI1NTE5AAAAI' + letter * 43}" for letter in "ABCDEFGH"]
"""Host keys of invented machines."""


document = partial(committed.document, "server")
refusals = partial(committed.refusals, "server")
accepted = partial(committed.accepted, "server")


def machine(number: int, **changes: Any) -> dict[str, Any]:
    """Return an invented machine as YAML gives it."""
    made = {
        "name": f"m{number}",
        "address": f"203.0.113.{number}",
        "private_address": f"10.0.1.{number}",
        "role": "server",
        "pool": "all",
        "host_key": KEYS[number],
    }
    return {key: value for key, value in {**made, **changes}.items() if value is not None}


def target(**changes: Any) -> ServerTarget:
    """Return its target."""
    found = accepted(**changes).target
    assert isinstance(found, ServerTarget)
    return found
