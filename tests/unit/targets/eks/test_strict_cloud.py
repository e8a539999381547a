"""Every shape of a cluster at AWS against the stand-in's refusals, without an engine."""

from typing import Any

import pytest

from components.targets.eks.cluster import EksCluster, EksClusterArgs
from stacks.target import EksTarget
from tests.providers.aws import Account
from tests.unit.recorder import record
from tests.unit.stacks.committed import accepted
from tests.unit.targets.eks.strict_cloud import StrictCloud

THREE = ["eu-central-1a", "eu-central-1b", "eu-central-1c"]


def live(file: str = "eks", **changes: Any) -> Account:
    """Make a cluster with changes below `target`, take it away again, and return the account it was in."""
    settings = accepted(file, protect=False, **changes)
    target = settings.target
    assert isinstance(target, EksTarget)
    cloud = StrictCloud(Account())
    args = EksClusterArgs(stack="team", settings=target, runtime=settings.runtime)
    record(lambda: EksCluster("cluster", args), cloud=cloud)
    assert cloud.account.summary()["cluster"] == ["rakazo-team"]
    cloud.destroy()
    return cloud.account


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"network__nat": "none"},
        {"network__nat": "per-zone", "zones": THREE},
        {"shared_files": True},
        {"admin_cidrs": []},
        {"computers": {"minimum": 0, "maximum": 4}},
        {"network": {"kind": "own", "nodes": "172.16.0.0/20", "pods": "172.17.0.0/20"}, "services": "10.96.0.0/12"},
    ],
)
def test_aws_takes_it_and_nothing_of_it_is_left(changes: dict[str, Any]) -> None:
    """B011, B089: down to the log that EKS would keep."""
    assert live(**changes).summary() == {}


def test_the_instances_of_virtual_machines_start_with_virtualization_inside() -> None:
    """B052: a managed group would have started them without, and said nothing."""
    account = live("eks-kata")
    assert account.instances["rakazo-team-computers"]["cpuOptions"] == {"nestedVirtualization": "enabled"}
    assert account.summary() == {}


def test_everything_carries_the_tags_by_which_a_destroy_is_audited() -> None:
    account = live()
    assert account.default_tags == {"managed-by": "rakazo-infra", "rakazo-stack": "team"}
