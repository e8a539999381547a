"""The committed stack with Docker computers, with changes by key path."""

import copy
import functools
from pathlib import Path
from typing import Any

import yaml

from stacks.docker_stack import DockerStackSettings
from stacks.load import read_settings

FILE = Path(__file__).parents[3] / "stacks" / "Pulumi.docker.yaml"
HETZNER = {"kind": "hetzner", "locations": ["fsn1"], "admin_cidrs": ["198.51.100.7/32"], "protect": True}
"""What a rented machine says in the place of `machines` and `ssh`."""


@functools.cache
def _committed() -> dict[str, Any]:
    settings: dict[str, Any] = yaml.safe_load(FILE.read_text())["config"]["rakazo:settings"]
    return settings


def document(**changes: Any) -> dict[str, Any]:
    """Return the stack's settings with changes: `target__docker__version="…"`; None removes a key."""
    settings = copy.deepcopy(_committed())
    for path, value in changes.items():
        *parents, last = path.split("__")
        section = settings
        for parent in parents:
            section = section.setdefault(parent, {})
        if value is None:
            section.pop(last, None)
        else:
            section[last] = value
    return settings


def on_hetzner(**target: Any) -> dict[str, Any]:
    """Return the same stack on a rented machine, with changes below `target`."""
    settings = document()
    settings["target"] = {**HETZNER, "docker": settings["target"]["docker"], **target}
    return settings


def refusals(settings: object) -> list[str]:
    """Return what is wrong with a stack, without the path that all of it shares."""
    outcome = read_settings(settings)
    if not isinstance(outcome, list):
        return []
    return [fault.removeprefix("rakazo:settings").removeprefix(".") for fault in outcome]


def accepted(settings: object) -> DockerStackSettings:
    """Return the stack."""
    outcome = read_settings(settings)
    assert isinstance(outcome, DockerStackSettings), outcome
    return outcome
