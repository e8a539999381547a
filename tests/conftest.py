"""What every tier may use."""

from tests.clusters import cluster

__all__ = ["cluster"]
