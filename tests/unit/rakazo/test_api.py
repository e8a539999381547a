"""api's workload and Service."""

from tests.unit.example import by_limits, example, pod_of


def test_there_is_one_api_and_never_two() -> None:
    """B105: the new one cannot mount the volume while the old one holds it elsewhere."""
    spec = example().only("Deployment", name="rakazo-api").inputs["spec"]
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})


def test_it_is_started_directly() -> None:
    (container,) = pod_of(example(), "api")["containers"]

    assert container["command"] == ["node", "--import", "tsx", "src/index.ts"]
    assert container["workingDir"] == "/app/apps/api"


def test_its_service_is_never_called_api() -> None:
    """B101: it would inject API_PORT."""
    (port,) = example().only("Service", name="rakazo-api").inputs["spec"]["ports"]
    assert port["port"] == 3100


def test_it_prefers_the_node_where_the_worker_holds_their_volume() -> None:
    """B105: preferred only, since on the first day there is no worker."""
    affinity = pod_of(example(), "api")["affinity"]["podAffinity"]
    (preferred,) = affinity["preferredDuringSchedulingIgnoredDuringExecution"]

    assert set(affinity) == {"preferredDuringSchedulingIgnoredDuringExecution"}
    assert preferred["podAffinityTerm"]["labelSelector"]["matchLabels"]["app.kubernetes.io/component"] == "worker"


def test_on_shared_storage_it_runs_anywhere() -> None:
    assert "affinity" not in pod_of(by_limits(), "api")
