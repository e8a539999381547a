"""Volumes at Google: which classes there are, and what becomes of what is on them."""

import pytest

from tests.unit.graph import named
from tests.unit.recorder import Recorder, Registered
from tests.unit.targets.gke.example import cluster, committed, made


def classes(recorder: Recorder) -> dict[str, Registered]:
    return {item.metadata["name"]: item for item in recorder.of_kind("StorageClass")}


def test_without_being_asked_no_filestore_is_ordered() -> None:
    (disks,) = classes(committed()).values()
    assert disks.metadata["name"] == "rakazo-pd"
    storage = made()[1].storage
    assert (storage.storage_class, storage.shared, storage.shared_class) == ("rakazo-pd", False, None)


def test_a_disk_is_made_where_its_pod_is_and_never_elsewhere() -> None:
    disks = named(committed(), "cluster-disks").inputs
    assert disks["provisioner"] == "pd.csi.storage.gke.io"
    assert disks["parameters"] == {"type": "pd-balanced"}
    assert disks["volumeBindingMode"] == "WaitForFirstConsumer"


@pytest.mark.parametrize(("protect", "policy"), [(True, "Retain"), (False, "Delete")])
def test_volumes_outlive_a_protected_cluster(protect: bool, policy: str) -> None:
    """B003: Google's own classes delete them with their claims, whatever is protected."""
    found = classes(made(protect=protect, shared_storage=True)[0])
    assert {name: item.inputs["reclaimPolicy"] for name, item in found.items()} == dict.fromkeys(
        ("rakazo-pd", "rakazo-filestore"), policy
    )


def test_another_policy_is_another_class_of_the_same_name() -> None:
    """Kubernetes changes nothing of a class, and its name is taken until it is free."""
    for item in classes(made(shared_storage=True)[0]).values():
        assert "reclaimPolicy" in item.replace_on_changes
        assert item.delete_before_replace


def test_a_shared_volume_is_a_filestore_in_the_clusters_own_network_and_the_database_stays_on_a_disk() -> None:
    """B105: Google's own classes put it into the network `default`, where no machine of the cluster is."""
    recorded, told = made(shared_storage=True)
    found = named(recorded, "cluster-filestore").inputs
    assert found["provisioner"] == "filestore.csi.storage.gke.io"
    assert found["parameters"] == {"tier": "BASIC_HDD", "network": "cluster-vpc-network-id"}
    assert cluster(recorded).inputs["addonsConfig"]["gcpFilestoreCsiDriverConfig"] == {"enabled": True}
    assert (told.storage.storage_class, told.storage.shared) == ("rakazo-pd", True)
    assert told.storage.shared_class == found["metadata"]["name"]
