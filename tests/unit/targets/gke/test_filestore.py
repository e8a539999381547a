"""Volumes that several machines mount."""

from tests.unit.graph import named
from tests.unit.targets.gke.example import cluster, committed, made


def test_without_being_asked_no_filestore_is_ordered() -> None:
    assert committed().of_kind("StorageClass") == []
    storage = made()[1].storage
    assert (storage.storage_class, storage.shared, storage.shared_class) == ("standard-rwo", False, None)


def test_a_shared_volume_is_a_filestore_in_the_clusters_own_network_and_the_database_stays_on_a_disk() -> None:
    """B105: Google's own classes put it into the network `default`, where no machine of the cluster is."""
    recorded, told = made(shared_storage=True)
    found = named(recorded, "cluster-filestore").inputs
    assert found["provisioner"] == "filestore.csi.storage.gke.io"
    assert found["parameters"] == {"tier": "BASIC_HDD", "network": "cluster-vpc-network-id"}
    assert cluster(recorded).inputs["addonsConfig"]["gcpFilestoreCsiDriverConfig"] == {"enabled": True}
    assert (told.storage.storage_class, told.storage.shared) == ("standard-rwo", True)
    assert told.storage.shared_class == found["metadata"]["name"]
