"""The committed stack of a cluster at Google, with changes by key path below `target`."""

from typing import Any

from stacks.load import read_settings
from stacks.settings import StackSettings
from stacks.target import GkeTarget
from tests.unit.stacks import committed


def document(**changes: Any) -> dict[str, Any]:
    """Return settings with changes below `target`: `computers__minimum=0`; None removes a key.

    The volume of api and worker is as large as the smallest Filestore, so that one can be asked for.
    """
    settings = committed.document("gke", **changes)
    settings["application"]["data_volume"] = "100Gi"
    return settings


def refusals(runtime: dict[str, Any] | None = None, **changes: Any) -> list[str]:
    """Return what is wrong after the changes, without the path that all of it shares."""
    settings = document(**changes)
    settings["runtime"] = runtime or settings["runtime"]
    return committed.faults(settings)


def accepted(**changes: Any) -> StackSettings:
    """Return the stack after the changes."""
    outcome = read_settings(document(**changes))
    assert isinstance(outcome, StackSettings), outcome
    return outcome


def target(**changes: Any) -> GkeTarget:
    """Return its target."""
    found = accepted(**changes).target
    assert isinstance(found, GkeTarget)
    return found
