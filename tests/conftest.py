"""What every tier may use."""

import gc

from tests.clusters import cluster

__all__ = ["cluster"]

gc.disable()  # while tests are collected, next to nothing is garbage


def pytest_collection_finish() -> None:
    """Go on without looking again and again at a hundred thousand imported things that stay until the end."""
    gc.freeze()
    gc.enable()
