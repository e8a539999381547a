"""One thing that is wrong with a program's inputs."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A property and why it cannot be used."""

    path: str
    """The whole path, such as `nodePool.taints[0].efect`; empty for what concerns the resource as a whole."""
    reason: str
    """Never quotes a value: the CLI redacts secrets in what it adds, not in this text."""
