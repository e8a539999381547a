"""Volumes at AWS: which classes there are, and what becomes of what is on them."""

import pytest

from tests.unit.graph import everything_before, named
from tests.unit.recorder import Recorder, Registered
from tests.unit.targets.eks.example import committed, made

DEFAULT = {"storageclass.kubernetes.io/is-default-class": "true"}


def classes(recorder: Recorder) -> dict[str, Registered]:
    return {item.metadata["name"]: item for item in recorder.of_kind("StorageClass")}


def test_the_stack_brings_a_class_of_encrypted_disks_that_is_also_the_default() -> None:
    """B085, C10: EKS has none that works. A disk is made where the pod is, and never elsewhere."""
    (disks,) = classes(committed()).values()
    assert disks.metadata["name"] == "rakazo-gp3"
    assert disks.metadata["annotations"] == DEFAULT
    assert disks.inputs["provisioner"] == "ebs.csi.aws.com"
    assert disks.inputs["parameters"] == {"type": "gp3", "encrypted": "true"}
    assert disks.inputs["volumeBindingMode"] == "WaitForFirstConsumer"
    assert "cluster-aws-ebs-csi-driver" in everything_before(committed(), disks)


def test_drivers_outlive_everything_in_the_cluster() -> None:
    """B085, B089: a volume whose driver is gone stays at AWS, and costs."""
    recorder = made(shared_files=True)[0]
    (provider,) = (item for item in recorder.seen if item.typ == "pulumi:providers:kubernetes")
    assert {"cluster-aws-ebs-csi-driver", "cluster-aws-efs-csi-driver"} <= everything_before(recorder, provider)


@pytest.mark.parametrize(("protect", "policy"), [(True, "Retain"), (False, "Delete")])
def test_disks_outlive_a_protected_cluster(protect: bool, policy: str) -> None:
    """B085."""
    found = classes(made(protect=protect, shared_files=True)[0])
    assert {item.inputs["reclaimPolicy"] for item in found.values()} == {policy}


def test_without_shared_files_one_node_mounts_a_volume() -> None:
    """B105."""
    storage = made()[1].storage
    assert (storage.storage_class, storage.shared, storage.shared_class) == ("rakazo-gp3", False, None)


def test_shared_files_are_on_a_file_system_and_the_database_is_not() -> None:
    """B105: it is mounted in every zone before the class is there."""
    recorder, cluster = made(shared_files=True)
    assert (cluster.storage.storage_class, cluster.storage.shared) == ("rakazo-gp3", True)
    assert cluster.storage.shared_class == "rakazo-efs"
    files = classes(recorder)["rakazo-efs"]
    assert files.inputs["provisioner"] == "efs.csi.aws.com"
    assert files.inputs["parameters"]["fileSystemId"] == "cluster-files-id"
    assert named(recorder, "cluster-files").inputs["encrypted"] is True
    before = everything_before(recorder, files)
    assert {"cluster-aws-efs-csi-driver", "cluster-files-eu-central-1a", "cluster-files-eu-central-1b"} <= before
    assert "annotations" not in files.metadata


def test_the_file_systems_driver_is_somebody_at_aws() -> None:
    (driver,) = (item for item in made(shared_files=True)[0].of_kind("Addon") if "efs" in item.inputs["addonName"])
    (identity,) = driver.inputs["podIdentityAssociations"]
    assert identity["serviceAccount"] == "efs-csi-controller-sa"
