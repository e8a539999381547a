"""The committed stack of machines over SSH, with changes by key path."""

import copy
import functools
from pathlib import Path
from typing import Any

import yaml

from stacks.load import read_settings
from stacks.settings import StackSettings
from stacks.target import ServerTarget

FILE = Path(__file__).parents[3] / "stacks" / "Pulumi.server.yaml"
KEYS = [f"ssh-ed25519 {'AAAAC3NzaC1lZDI1NTE5AAAAI' + letter * 43}" for letter in "ABCDEFGH"]
"""Host keys of invented machines."""


@functools.cache
def _committed() -> dict[str, Any]:
    settings: dict[str, Any] = yaml.safe_load(FILE.read_text())["config"]["rakazo:settings"]
    return settings


def document(**changes: Any) -> dict[str, Any]:
    """Return the stack's settings with changes below `target`: `k3s__version="…"`; None removes a key."""
    settings = copy.deepcopy(_committed())
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


def refusals(**changes: Any) -> list[str]:
    """Return what is wrong with the stack after the changes, without the path that all of it shares."""
    outcome = read_settings(document(**changes))
    return [fault.removeprefix("rakazo:settings.") for fault in outcome] if isinstance(outcome, list) else []


def accepted(**changes: Any) -> StackSettings:
    """Return the stack after the changes."""
    outcome = read_settings(document(**changes))
    assert isinstance(outcome, StackSettings), outcome
    return outcome


def target(**changes: Any) -> ServerTarget:
    """Return its target."""
    found = accepted(**changes).target
    assert isinstance(found, ServerTarget)
    return found
