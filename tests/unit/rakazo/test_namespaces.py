"""The namespaces and the level of Pod Security in each."""

from tests.unit.rakazo import surroundings
from tests.unit.recorder import record

PREFIX = "pod-security.kubernetes.io"


def test_computers_are_held_to_the_strictest_level_that_rakazos_pod_is_known_to_pass() -> None:
    """B104: baseline is enforced, restricted reported, and an upgrade of the cluster changes neither."""
    found = record(surroundings.declare_namespaces).only("Namespace", name=surroundings.COMPUTERS)
    assert {key: value for key, value in found.metadata["labels"].items() if key.startswith(PREFIX)} == {
        f"{PREFIX}/enforce": "baseline",
        f"{PREFIX}/enforce-version": "v1.36",
        f"{PREFIX}/warn": "restricted",
        f"{PREFIX}/warn-version": "v1.36",
        f"{PREFIX}/audit": "restricted",
        f"{PREFIX}/audit-version": "v1.36",
    }


def test_rakazos_own_pods_are_held_to_the_strictest_level_there_is() -> None:
    found = record(surroundings.declare_namespaces).only("Namespace", name=surroundings.APPLICATION)
    assert found.metadata["labels"][f"{PREFIX}/enforce"] == "restricted"
    assert found.metadata["labels"][f"{PREFIX}/enforce-version"] == "v1.36"


def test_both_namespaces_are_found_by_the_stacks_labels() -> None:
    for namespace in record(surroundings.declare_namespaces).of_kind("Namespace"):
        labels = namespace.metadata["labels"]
        assert labels["app.kubernetes.io/managed-by"] == "rakazo-infra"
        assert labels["app.kubernetes.io/instance"] == surroundings.APPLICATION
