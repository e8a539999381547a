"""An invented cluster at AWS, on the recording engine."""

import functools
import json
from typing import Any

from components.contracts import Cluster, Network
from components.targets.eks.cluster import EksCluster, EksClusterArgs
from stacks.target import EksTarget
from tests.unit.clouds import aws
from tests.unit.clouds.aws import Answers
from tests.unit.recorder import Recorder, record
from tests.unit.stacks.committed import accepted

NETWORKS: list[Network] = []
"""What the last ones that were made told about their networks."""


def made(
    answers: Answers | None = None, *, file: str = "eks", stack: str = "team", **changes: Any
) -> tuple[Recorder, Cluster]:
    """Return what is made for a committed stack file with changes below `target`."""
    settings, found = accepted(file, **changes), list[Cluster]()
    target = settings.target
    assert isinstance(target, EksTarget)

    def program() -> None:
        args = EksClusterArgs(stack=stack, settings=target, runtime=settings.runtime)
        found.append(EksCluster("cluster", args).cluster)
        found[0].network.complete().apply(NETWORKS.append)

    return record(program, answers=answers or aws.answers()), found[0]


@functools.cache
def committed() -> Recorder:
    """Return the committed one."""
    return made()[0]


@functools.cache
def with_virtual_machines() -> tuple[Recorder, Cluster]:
    """Return the committed one whose computers run on Kata."""
    return made(file="eks-kata")


def addon(recorder: Recorder, name: str) -> Any:
    """Return an add-on by its name at EKS."""
    (found,) = (item for item in recorder.of_kind("Addon") if item.inputs["addonName"] == name)
    return found


def addon_settings(recorder: Recorder, name: str) -> Any:
    """Return what an add-on is told."""
    return json.loads(addon(recorder, name).inputs["configurationValues"])
