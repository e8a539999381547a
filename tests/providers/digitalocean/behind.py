"""What is behind a cluster of the stand-in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


class Behind(Protocol):
    """A cluster that really runs, or one that a test invents."""

    server: str
    authority: str

    def token(self) -> str:
        """Return a new credential."""

    def volumes(self) -> Sequence[str]:
        """Return the names of the volumes that the cluster has made."""


@dataclass
class Invented:
    """A cluster of which nothing is there but its way in."""

    server: str = "https://127.0.0.1:1"
    authority: str = "Q0E="
    kept: list[str] = field(default_factory=list)
    """Names of its volumes."""
    tokens: int = 0

    def token(self) -> str:
        """Return a new one each time, as DigitalOcean does."""
        self.tokens += 1
        return f"invented-token-{self.tokens}"

    def volumes(self) -> Sequence[str]:
        """Return the names that a test wrote."""
        return self.kept
