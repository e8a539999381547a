"""The embedded cluster that the engine and isolation tiers share: one per session, named apart from the user's."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from local import cluster as embedded
from local.cluster import ClusterFolder, Facts

NAME = "test"


@dataclass(frozen=True)
class EmbeddedCluster:
    """A cluster that is up."""

    facts: Facts

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def url(self) -> str:
        """The way in to the application."""
        return embedded.way_in(self.name)

    @property
    def kubeconfig(self) -> Path:
        return ClusterFolder(self.name).kubeconfig


@pytest.fixture(scope="session")
def cluster() -> Iterator[EmbeddedCluster]:
    """Start the session's cluster, fresh even after a session that was killed, and remove it at the end."""
    console = Console(stderr=True)
    embedded.down(NAME, console)
    yield EmbeddedCluster(embedded.up(NAME, console))
    embedded.down(NAME, console)
