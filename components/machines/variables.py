"""Variables for the scripts on a machine."""

import shlex
from collections.abc import Mapping

from components.machines.file import File


def render_variables(values: Mapping[str, str]) -> File:
    """Return the file that every script reads first; whatever a value holds stays one value."""
    lines = [f"{name}={shlex.quote(value)}" for name, value in values.items()]
    return File(path="machine.env", content="\n".join(lines) + "\n")
