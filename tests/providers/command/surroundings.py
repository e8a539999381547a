"""Where the operator sits: what a real provider gets from the CLI that starts it."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from tests.providers.relay import Place


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Nothing of the person who runs the tests is used in its stead."""

    place: Place = nullcontext
    """The network namespace that connections and local commands belong to."""
    folder: Path = field(default_factory=Path.cwd)
    """What relative paths are relative to: the program's folder."""
    agent: str | None = None
    """Path of the SSH agent's socket, which the operator has in `SSH_AUTH_SOCK`."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """For local commands, on top of this process' own."""
