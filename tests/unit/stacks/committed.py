"""The committed stack files, with changes by key path, as settings that are accepted or refused."""

import copy
import functools
from pathlib import Path
from typing import Any

import yaml

from stacks.load import read_settings
from stacks.settings import StackSettings

STACKS = Path(__file__).parents[3] / "stacks"


@functools.cache
def _committed(name: str) -> dict[str, Any]:
    file = yaml.safe_load((STACKS / f"Pulumi.{name}.yaml").read_text(encoding="utf-8"))
    settings: dict[str, Any] = file["config"]["rakazo:settings"]
    return settings


def document(name: str, **changes: Any) -> dict[str, Any]:
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


def faults(settings: dict[str, Any]) -> list[str]:
    """Return what is wrong with settings, without the path that all of it shares."""
    outcome = read_settings(settings)
    return [fault.removeprefix("rakazo:settings.") for fault in outcome] if isinstance(outcome, list) else []


def refusals(name: str, **changes: Any) -> list[str]:
    """Return what is wrong after the changes."""
    return faults(document(name, **changes))


def accepted(name: str, **changes: Any) -> StackSettings:
    """Return the stack after the changes."""
    outcome = read_settings(document(name, **changes))
    assert isinstance(outcome, StackSettings), outcome
    return outcome
