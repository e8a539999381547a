"""What brings a release's image to a node before anything stops for the release."""

from tests.unit.example import deployed, example, pod_of, variables_of
from tests.unit.rakazo.test_order import before, workload

IMAGE = f"app@sha256:{'ab' * 32}"


def test_a_release_is_brought_by_a_job_of_its_own() -> None:
    """Another name is another Job, and the migration waits for it."""
    assert workload("prepull").metadata["name"] == "rakazo-prepull-000000000000"
    names = {job.metadata["name"] for job in deployed(images__app=IMAGE).of_kind("Job")}
    assert names == {"rakazo-prepull-abababababab", "rakazo-migrate-abababababab"}
    assert workload("prepull").urn in before(workload("migrate"))


def test_it_runs_the_releases_own_image_beside_api_and_gives_up_after_one_try() -> None:
    (container,) = pod_of(deployed(images__app=IMAGE), "prepull")["containers"]
    assert (container["image"], container["command"]) == (IMAGE, ["true"])
    spec = workload("prepull").inputs["spec"]
    assert (spec["backoffLimit"], spec["activeDeadlineSeconds"]) == (0, 900)
    preferred = pod_of(example(), "prepull")["affinity"]["podAffinity"]
    (term,) = preferred["preferredDuringSchedulingIgnoredDuringExecution"]
    assert term["podAffinityTerm"]["labelSelector"]["matchLabels"]["app.kubernetes.io/component"] == "api"


def test_it_holds_no_secret_and_needs_nobody() -> None:
    assert variables_of(example(), "prepull") == {}
    waits = before(workload("prepull"))
    assert not {workload(component).urn for component in ("postgres", "migrate", "api", "worker", "web")} & waits
