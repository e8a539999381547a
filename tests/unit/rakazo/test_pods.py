"""What holds for every pod of Rakazo. That Kubernetes accepts them, and that the images run so, is not proven here."""

import pytest

from components.rakazo.services import SERVICES
from components.service import Service
from tests.unit.example import by_limits, deployed, example, pod_of, settings, variables_of

every_service = pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)


@every_service
def test_a_pod_is_not_root_and_can_change_nothing(service: Service) -> None:
    pod = pod_of(example(), service.name)

    assert pod["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": service.user,
        "runAsGroup": service.user,
        "fsGroup": service.user,
        "fsGroupChangePolicy": "OnRootMismatch",
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    for container in [*pod["containers"], *pod.get("initContainers", [])]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        }
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)


@every_service
def test_only_api_and_worker_get_a_token(service: Service) -> None:
    """B104: web, Postgres and the migration have nothing to ask the Kubernetes API."""
    pod = pod_of(example(), service.name)
    trusted = service.name in {"api", "worker"}

    assert pod["automountServiceAccountToken"] is trusted
    assert pod.get("serviceAccountName") == ("rakazo" if trusted else None)


@every_service
def test_no_service_of_the_namespace_writes_variables_into_a_pod(service: Service) -> None:
    """B101: service links are off in every pod, not only in api's."""
    assert pod_of(example(), service.name)["enableServiceLinks"] is False


@every_service
def test_every_container_has_requests_and_limits_for_everything(service: Service) -> None:
    pod = pod_of(example(), service.name)
    for container in [*pod["containers"], *pod.get("initContainers", [])]:
        for kind in ("requests", "limits"):
            assert set(container["resources"][kind]) == {"cpu", "memory", "ephemeral-storage"}


@every_service
def test_every_writable_folder_is_mounted_with_a_limit(service: Service) -> None:
    pod = pod_of(example(), service.name)
    mounts = {mount["mountPath"]: mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    kept = {service.volume.path} if service.volume else set()

    assert set(mounts) == {scratch.path for scratch in service.scratch} | kept
    for scratch in service.scratch:
        assert volumes[mounts[scratch.path]]["emptyDir"] == {"sizeLimit": f"{scratch.mib}Mi"}


@pytest.mark.parametrize("component", ["api", "worker", "postgres"])
def test_a_volume_is_proven_writable_before_its_service_starts(component: str) -> None:
    """Measured: api starts on a volume it cannot write, answers 200 and loses uploads in silence."""
    pod = pod_of(example(), component)
    (proof,) = pod["initContainers"]
    path = proof["volumeMounts"][0]["mountPath"]

    assert proof["volumeMounts"] == [
        mount for mount in pod["containers"][0]["volumeMounts"] if mount["mountPath"] == path
    ]
    assert f"mktemp -d {path}/" in proof["command"][2]
    assert proof["command"][2].endswith("exit 1")
    assert proof["image"] == pod["containers"][0]["image"]


@every_service
def test_a_probe_that_is_not_in_the_table_is_not_in_the_pod(service: Service) -> None:
    (container,) = pod_of(example(), service.name)["containers"]
    expected = {f"{name}Probe" for name in ("startup", "readiness", "liveness") if getattr(service, name) is not None}
    assert {key for key in container if key.endswith("Probe")} == expected


def test_the_three_urls_are_the_public_origin_and_web_knows_the_bare_host() -> None:
    """B125: their default is loopback, and sign-in is then refused."""
    recorder = deployed(application__public={"host": "rakazo.example.com"})
    api = variables_of(recorder, "api")

    assert {api[name] for name in ("BETTER_AUTH_URL", "WEB_ORIGIN", "API_URL")} == {"https://rakazo.example.com"}
    assert variables_of(recorder, "web")["RAKAZO_HOST"] == "rakazo.example.com"


@pytest.mark.parametrize(
    ("public", "origin"),
    [
        ({"host": "a.example.com", "port": 443}, "https://a.example.com"),
        ({"host": "a.example.com", "port": 8443}, "https://a.example.com:8443"),
        ({"host": "localhost", "scheme": "http", "port": 80}, "http://localhost"),
        ({"host": "localhost", "scheme": "http", "port": 30173}, "http://localhost:30173"),
    ],
)
def test_an_origin_has_a_port_only_when_a_browser_sends_one(public: dict[str, object], origin: str) -> None:
    """B125: compared letter by letter, without a trailing slash."""
    assert settings(application__public=public).application.public.origin == origin


@pytest.mark.parametrize("component", ["api", "worker"])
def test_limits_are_handed_to_rakazo_only_without_a_reserve(component: str) -> None:
    """B065: written limits become requests, and a reserve would book nothing. B064: without it they are written."""
    names = ("KUBERNETES_SANDBOX_CPU_LIMIT", "KUBERNETES_SANDBOX_MEMORY_LIMIT")

    assert [variables_of(by_limits(), component).get(name) for name in names] == ["2", "2Gi"]
    assert [variables_of(example(), component).get(name) for name in names] == [None, None]


def test_api_and_worker_agree_on_what_a_computer_is() -> None:
    """B120: both create computers."""
    api, worker = variables_of(example(), "api"), variables_of(example(), "worker")
    about_computers = {name for name in api if name.startswith(("KUBERNETES_", "SANDBOX_"))}

    assert len(about_computers) == 4
    assert {name: api[name] for name in about_computers} == {name: worker[name] for name in about_computers}
    assert api["KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME"] == "rakazo-gvisor"
