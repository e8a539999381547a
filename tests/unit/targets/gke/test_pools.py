"""The machines of a cluster at Google: which there are, what they may, and where computers go."""

from typing import Any

import pytest

from components.contracts import OwnNodes
from stacks.runtime import KataRuntime, RuncRuntime
from tests.unit.graph import everything_before
from tests.unit.recorder import Recorder, Registered
from tests.unit.targets.gke.example import cluster, committed, made

ROLE = "roles/container.defaultNodeServiceAccount"


def pools(recorder: Recorder) -> dict[str, Registered]:
    return {item.inputs["name"]: item for item in recorder.of_kind("NodePool")}


def config(recorder: Recorder, pool: str) -> dict[str, Any]:
    found: dict[str, Any] = pools(recorder)[pool].inputs["nodeConfig"]
    return found


def test_computers_have_a_sandbox_pool_of_their_own_beside_an_ordinary_one() -> None:
    """B049: GKE Sandbox runs on no default pool and not alone."""
    assert set(pools(committed())) == {"system", "computers"}
    assert config(committed(), "computers")["sandboxConfig"] == {"type": "GVISOR"}
    assert config(committed(), "computers")["imageType"] == "COS_CONTAINERD"
    assert "sandboxConfig" not in config(committed(), "system")
    assert "cluster-system" in everything_before(committed(), pools(committed())["computers"])


def test_the_class_of_the_sandbox_is_gkes_and_not_made() -> None:
    """B049: nothing of it can be written, so its own mark is the only taint of the pool."""
    assert committed().of_kind("RuntimeClass") == []
    assert "taints" not in config(committed(), "computers")
    assert config(committed(), "computers")["labels"] == {"rakazo-infra/pool": "computers"}


def test_without_a_sandbox_the_pool_has_the_stacks_own_taint() -> None:
    runc = made(runtime=RuncRuntime(kind="runc"))[0]
    assert config(runc, "computers")["taints"] == [
        {"key": "rakazo-infra/pool", "value": "computers", "effect": "NO_SCHEDULE"}
    ]
    assert "sandboxConfig" not in config(runc, "computers")


def test_virtual_machines_get_machines_that_have_virtualization_and_room_for_kata() -> None:
    """Google's own system is read-only where Kata lies. Whoever makes the sandbox installs it on them."""
    recorder, told = made(runtime=KataRuntime(kind="kata"), computers__machine_type="n2-standard-8")
    computers = config(recorder, "computers")
    assert computers["advancedMachineFeatures"] == {"threadsPerCore": 2, "enableNestedVirtualization": True}
    assert computers["imageType"] == "UBUNTU_CONTAINERD"
    assert computers["taints"] == [{"key": "rakazo-infra/pool", "value": "computers", "effect": "NO_SCHEDULE"}]
    assert "advancedMachineFeatures" not in config(recorder, "system")
    assert told.own_nodes == OwnNodes(distribution="k8s")


def test_computers_machines_come_and_go_with_them() -> None:
    """B016: a number beside the limits would undo the autoscaler's work at every `up`."""
    computers = pools(made(computers__minimum=0)[0])["computers"].inputs
    assert computers["autoscaling"] == {"totalMinNodeCount": 0, "totalMaxNodeCount": 3}
    assert "nodeCount" not in computers
    assert pools(committed())["system"].inputs["nodeCount"] == 1


@pytest.mark.parametrize(
    ("location", "minimum", "per_zone"),
    [("europe-west3-a", 0, 1), ("europe-west3-a", 3, 3), ("europe-west3", 1, 1), ("europe-west3", 6, 2)],
)
def test_machines_that_come_and_go_are_there_in_the_beginning(location: str, minimum: int, per_zone: int) -> None:
    """Google makes none for a minimum, and its autoscaler only for a pod; later the number would be another pool."""
    found = pools(made(location=location, computers__minimum=minimum, computers__maximum=9)[0])
    assert found["computers"].inputs["initialNodeCount"] == per_zone
    assert found["computers"].ignore_changes == ("initialNodeCount",)
    assert ("initialNodeCount" in found["system"].inputs, found["system"].ignore_changes) == (False, ())


def test_no_pool_names_a_version() -> None:
    """B091: the channel upgrades; a version written here would fight it."""
    for pool in pools(committed()).values():
        assert "version" not in pool.inputs
        assert pool.inputs["management"] == {"autoRepair": True, "autoUpgrade": True}
        assert pool.inputs["upgradeSettings"] == {"maxSurge": 1, "maxUnavailable": 0}


def test_no_machine_has_a_public_address_and_every_one_a_way_out() -> None:
    """B093: without the NAT it would pull no image."""
    for pool in pools(committed()).values():
        assert pool.inputs["networkConfig"] == {"enablePrivateNodes": True}
        assert "cluster-vpc-nat" in everything_before(committed(), pool)
    assert "cluster-vpc-nat" in everything_before(committed(), cluster(committed()))


def test_machines_may_write_logs_and_no_more() -> None:
    """B086: one role, and no pod gets at the machine's own token."""
    (member,) = committed().of_kind("IAMMember")
    assert (member.inputs["role"], member.inputs["project"]) == (ROLE, "my-project-1")
    for pool in ("system", "computers"):
        assert config(committed(), pool)["serviceAccount"].startswith("cluster-account@")
        assert config(committed(), pool)["workloadMetadataConfig"] == {"mode": "GKE_METADATA"}
        assert set(config(committed(), pool)["shieldedInstanceConfig"].values()) == {True}
        assert config(committed(), pool)["kubeletConfig"] == {"insecureKubeletReadonlyPortEnabled": "FALSE"}
        assert "cluster-account-role" in everything_before(committed(), pools(committed())[pool])


def test_nothing_is_deployed_before_there_are_machines() -> None:
    (provider,) = [item for item in committed().seen if item.typ == "pulumi:providers:kubernetes"]
    assert {"cluster-system", "cluster-computers"} <= everything_before(committed(), provider)
