"""The worker's workload."""

from tests.unit.example import by_limits, example, pod_of


def test_there_is_one_worker_and_never_two() -> None:
    spec = example().only("Deployment", name="rakazo-worker").inputs["spec"]
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})


def test_it_may_take_45_minutes_to_finish_and_an_update_waits_longer() -> None:
    spec = example().only("Deployment", name="rakazo-worker").inputs["spec"]

    assert spec["template"]["spec"]["terminationGracePeriodSeconds"] == 2700
    assert spec["progressDeadlineSeconds"] > 2700


def test_it_runs_on_api_s_node_when_one_node_mounts_their_volume() -> None:
    """B105: else the second pod hangs with Multi-Attach."""
    affinity = pod_of(example(), "worker")["affinity"]["podAffinity"]
    (required,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]

    assert set(affinity) == {"requiredDuringSchedulingIgnoredDuringExecution"}
    assert required["topologyKey"] == "kubernetes.io/hostname"
    assert required["labelSelector"]["matchLabels"] == {
        "app.kubernetes.io/instance": "rakazo",
        "app.kubernetes.io/component": "api",
    }


def test_on_shared_storage_it_runs_anywhere() -> None:
    """B105: the deny twin of the above."""
    assert "affinity" not in pod_of(by_limits(), "worker")


def test_it_is_started_directly_and_has_no_service() -> None:
    (container,) = pod_of(example(), "worker")["containers"]

    assert container["command"] == ["node", "--import", "tsx", "src/index.ts"]
    assert container["workingDir"] == "/app/apps/worker"
    selected = [
        service.inputs["spec"]["selector"]["app.kubernetes.io/component"] for service in example().of_kind("Service")
    ]
    assert "worker" not in selected
