"""The committed stack of one rented server, with changes by key path."""

import copy
import functools
from pathlib import Path
from typing import Any

import yaml

from stacks.load import read_settings
from stacks.settings import StackSettings
from stacks.target import HetznerTarget

STACKS = Path(__file__).parents[3] / "stacks"


@functools.cache
def _committed(name: str) -> dict[str, Any]:
    document = yaml.safe_load((STACKS / f"Pulumi.{name}.yaml").read_text())
    settings: dict[str, Any] = document["config"]["rakazo:settings"]
    return settings


def document(name: str = "hetzner", **changes: Any) -> dict[str, Any]:
    """Return settings with changes below `target`: `servers__count=3`; None removes a key."""
    settings = copy.deepcopy(_committed(name))
    for path, value in changes.items():
        *parents, last = path.split("__")
        section = settings["target"]
        for parent in parents:
            section = section.setdefault(parent, {})
        if value is None:
            section.pop(last, None)
        else:
            section[last] = value
    return settings


def refusals(name: str = "hetzner", **changes: Any) -> list[str]:
    """Return what is wrong after the changes, without the path that all of it shares."""
    outcome = read_settings(document(name, **changes))
    return [fault.removeprefix("rakazo:settings.") for fault in outcome] if isinstance(outcome, list) else []


def accepted(name: str = "hetzner", **changes: Any) -> StackSettings:
    """Return the stack after the changes."""
    outcome = read_settings(document(name, **changes))
    assert isinstance(outcome, StackSettings), outcome
    return outcome


def target(name: str = "hetzner", **changes: Any) -> HetznerTarget:
    """Return its target."""
    found = accepted(name, **changes).target
    assert isinstance(found, HetznerTarget)
    return found
