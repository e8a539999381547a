"""The two volumes."""

import pytest

from components.contracts import Storage
from components.rakazo.volumes import Volumes, VolumesArgs
from tests.unit.example import by_limits, example, pod_of
from tests.unit.recorder import Recorder, record


def modes(recorder: Recorder) -> dict[str, list[str]]:
    return {
        str(claim.metadata["name"]): claim.inputs["spec"]["accessModes"]
        for claim in recorder.of_kind("PersistentVolumeClaim")
    }


def test_the_shared_volume_is_mounted_by_many_only_where_the_storage_can() -> None:
    """B105: Postgres' own never is."""
    assert modes(example()) == {"rakazo-data": ["ReadWriteOnce"], "rakazo-postgres": ["ReadWriteOnce"]}
    assert modes(by_limits()) == {"rakazo-data": ["ReadWriteMany"], "rakazo-postgres": ["ReadWriteOnce"]}


@pytest.mark.parametrize("name", ["rakazo-data", "rakazo-postgres"])
def test_pulumi_never_deletes_a_volume(name: str) -> None:
    assert example().only("PersistentVolumeClaim", name=name).retain_on_delete


@pytest.mark.parametrize("name", ["rakazo-data", "rakazo-postgres"])
def test_the_storage_class_is_written_out(name: str) -> None:
    """B085: a cluster's default may be missing or another one tomorrow."""
    assert example().only("PersistentVolumeClaim", name=name).inputs["spec"]["storageClassName"] == "local-path"


@pytest.mark.parametrize("name", ["rakazo-data", "rakazo-postgres"])
def test_a_claim_keeps_the_class_of_the_day_on_which_it_was_made(name: str) -> None:
    """Another class would be another claim, and the name of the first one is never free."""
    assert example().only("PersistentVolumeClaim", name=name).ignore_changes == ("spec.storageClassName",)


def test_files_may_lie_in_a_class_of_their_own_and_the_database_never_does() -> None:
    """B105: what several nodes mount at once is no place for a database."""

    def program() -> None:
        storage = Storage(storage_class="disk", shared=True, shared_class="share")
        args = VolumesArgs(namespace="rakazo", storage=storage, data="2Gi", postgres="1Gi", after=[])
        Volumes("volumes", args)

    claims = record(program).of_kind("PersistentVolumeClaim")
    assert {claim.metadata["name"]: claim.inputs["spec"]["storageClassName"] for claim in claims} == {
        "rakazo-data": "share",
        "rakazo-postgres": "disk",
    }


@pytest.mark.parametrize("name", ["rakazo-data", "rakazo-postgres"])
def test_nothing_waits_for_a_claim_that_binds_at_first_use(name: str) -> None:
    """B015: the provider waits for a grown claim to be unbound, and fails after five minutes."""
    annotations = example().only("PersistentVolumeClaim", name=name).metadata["annotations"]
    assert annotations == {"pulumi.com/skipAwait": "true"}


def test_api_and_worker_mount_the_same_volume_at_data_dir() -> None:
    """B105: two volumes would lose files without a word."""
    for component in ("api", "worker"):
        pod = pod_of(example(), component)
        claims = [
            volume["persistentVolumeClaim"]["claimName"]
            for volume in pod["volumes"]
            if "persistentVolumeClaim" in volume
        ]
        mounted = [
            mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"] if mount["name"] == "rakazo-data"
        ]
        assert (claims, mounted) == (["rakazo-data"], ["/data"])
