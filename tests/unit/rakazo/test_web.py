"""web's workload, budget and Service."""

from tests.unit.example import deployed, example, pod_of


def test_one_of_two_webs_is_always_there() -> None:
    spec = example().only("Deployment", name="rakazo-web").inputs["spec"]
    budget = example().only("PodDisruptionBudget").inputs["spec"]

    assert spec["replicas"] == 2
    assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    assert budget == {"minAvailable": 1, "selector": {"matchLabels": spec["selector"]["matchLabels"]}}


def test_more_webs_change_nothing_but_their_number() -> None:
    more = deployed(application__web_replicas=3)
    changed = [
        resource.name
        for resource, again in zip(
            sorted(example().seen, key=lambda one: one.urn), sorted(more.seen, key=lambda one: one.urn), strict=True
        )
        if resource.inputs != again.inputs
    ]

    assert changed == ["rakazo-web"]
    assert more.only("Deployment", name="rakazo-web").inputs["spec"]["replicas"] == 3


def test_two_webs_prefer_two_nodes_and_accept_one() -> None:
    (spread,) = pod_of(example(), "web")["topologySpreadConstraints"]
    assert (spread["topologyKey"], spread["whenUnsatisfiable"]) == ("kubernetes.io/hostname", "ScheduleAnyway")


def test_it_is_started_directly_on_its_port() -> None:
    (container,) = pod_of(example(), "web")["containers"]

    assert container["workingDir"] == "/app/apps/web"
    assert container["command"] == [
        "node",
        "node_modules/vite/bin/vite.js",
        "preview",
        "--host",
        "0.0.0.0",  # noqa: S104 - inside a pod
        "--port",
        "5173",
    ]


def test_it_mounts_no_data() -> None:
    assert [volume for volume in pod_of(example(), "web")["volumes"] if "persistentVolumeClaim" in volume] == []


def test_its_service_is_never_called_web() -> None:
    """B101: it would inject WEB_PORT."""
    (port,) = example().only("Service", name="rakazo-web").inputs["spec"]["ports"]
    assert port["port"] == 5173
