"""A committed stack file, completed for a test: what the test's surroundings demand, and its secrets."""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from local.checkout import PROJECT
from local.stack.stack_file import SETTINGS


def write_committed(file: Path, changes: Mapping[str, Any]) -> None:
    """Write the stack file: the committed one of this name, with `changes` by dotted path below its settings.

    A change to None takes the key out. Secrets that were set before are kept.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    document = yaml.safe_load((PROJECT / "stacks" / file.name).read_text(encoding="utf-8"))
    for path, value in changes.items():
        *parents, key = path.split(".")
        place = document["config"][SETTINGS]
        for parent in parents:
            place = place.setdefault(parent, {})
        if value is None:
            place.pop(key, None)
        else:
            place[key] = copy.deepcopy(value)  # a later change may be inside of it
    former = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}
    document["config"] = {**former.get("config", {}), **document["config"]}
    if "encryptionsalt" in former:
        document["encryptionsalt"] = former["encryptionsalt"]
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
