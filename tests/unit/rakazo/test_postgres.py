"""Postgres: its workload and its Service. That it starts on the volume is the engine's and isolation's part."""

from tests.unit.example import deployed, example, pod_of, variables_of


def test_it_is_one_stateful_set_without_volume_templates() -> None:
    """B015: a volume in a template can never grow."""
    spec = example().only("StatefulSet").inputs["spec"]

    assert spec["replicas"] == 1
    assert spec["serviceName"] == "rakazo-postgres"
    assert "volumeClaimTemplates" not in spec


def test_growing_the_volume_changes_the_claim_and_nothing_of_the_stateful_set() -> None:
    """B015: so no immutable field is ever touched."""
    grown = deployed(application__postgres_volume="2Gi")

    assert grown.only("StatefulSet").inputs == example().only("StatefulSet").inputs
    claims = [recorder.only("PersistentVolumeClaim", name="rakazo-postgres") for recorder in (example(), grown)]
    assert [claim.inputs["spec"]["resources"]["requests"]["storage"] for claim in claims] == ["1Gi", "2Gi"]


def test_the_selector_holds_nothing_that_a_release_changes() -> None:
    """B015: a selector is immutable."""
    zeros = "0" * 63
    renewed = deployed(images__postgres=f"postgres@sha256:{zeros}1", images__app=f"app@sha256:{zeros}1")
    for kind in ("StatefulSet", "Deployment"):
        for workload in example().of_kind(kind):
            name = str(workload.metadata["name"])
            again = renewed.only(kind, name=name)
            selector = again.inputs["spec"]["selector"]["matchLabels"]
            assert selector == workload.inputs["spec"]["selector"]["matchLabels"]
            assert set(selector) == {"app.kubernetes.io/instance", "app.kubernetes.io/component"}


def test_the_data_lies_below_the_mount() -> None:
    """B106: initdb refuses a root with lost+found. B107: the image's own default moves with version 18."""
    (mount,) = (
        mount
        for mount in pod_of(example(), "postgres")["containers"][0]["volumeMounts"]
        if mount["name"] == "rakazo-postgres"
    )
    assert variables_of(example(), "postgres")["PGDATA"] == f"{mount['mountPath']}/pgdata"


def test_the_volume_is_the_claim_of_its_own() -> None:
    volumes = pod_of(example(), "postgres")["volumes"]
    assert {"name": "rakazo-postgres", "persistentVolumeClaim": {"claimName": "rakazo-postgres"}} in volumes


def test_it_runs_the_image_s_own_command_so_that_the_first_start_happens() -> None:
    (container,) = pod_of(example(), "postgres")["containers"]
    assert "command" not in container


def test_service_port_and_container_port_are_the_same() -> None:
    """B070: some plugins see the one, some the other."""
    for service in example().of_kind("Service"):
        for port in service.inputs["spec"]["ports"]:
            assert port["port"] == port["targetPort"]
    (port,) = example().only("Service", name="rakazo-postgres").inputs["spec"]["ports"]
    assert port["port"] == 5432
