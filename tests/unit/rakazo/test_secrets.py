"""Secrets of the services: who gets which, what rolls when one changes, and that none is ever in plain text."""

import base64
import random
from urllib.parse import unquote, urlsplit

import pytest

from components.kubernetes.workload import CONFIGURATION
from components.rakazo.database_url import render_database_url
from components.rakazo.services import SERVICES
from tests.unit.example import SECRETS, deployed, example, pod_of
from tests.unit.recorder import Recorder, Secret, leaves

READERS: dict[str, set[str]] = {
    "encryption_key": set(),
    "better_auth_secret": {"api"},
    "screen_proxy_secret": {"api", "web"},
    "postgres_owner_password": {"postgres", "migrate"},
    "postgres_app_password": {"migrate", "api", "worker"},
    "openrouter_api_key": {"api", "worker"},
    "anthropic_api_key": {"api", "worker"},
}
"""Who restarts for a new value. Nobody for the encryption key, since a new one never reaches the cluster."""
KEPT = "rakazo-encryption-key"
COMPONENT = "app.kubernetes.io/component"


def digests(recorder: Recorder) -> dict[str, object]:
    return {
        workload.metadata["labels"][COMPONENT]: workload.inputs["spec"]["template"]["metadata"]["annotations"][
            CONFIGURATION
        ]
        for kind in ("Deployment", "StatefulSet", "Job")
        for workload in recorder.of_kind(kind)
        if workload.metadata["labels"][COMPONENT] != "prepull"
    }


@pytest.mark.parametrize("service", [service.name for service in SERVICES])
def test_each_service_reads_its_own_secret_and_no_other(service: str) -> None:
    (container,) = pod_of(example(), service)["containers"]
    references = [item["valueFrom"]["secretKeyRef"] for item in container["env"] if "valueFrom" in item]
    own = example().only("Secret", name=f"rakazo-{service}")
    kept = {("ENCRYPTION_KEY", KEPT)} if service in {"api", "worker"} else set()

    assert {(reference["key"], reference["name"]) for reference in references} == kept | {
        (key, f"rakazo-{service}") for key in data_of(own.inputs["data"])
    }
    assert "envFrom" not in container


def test_the_encryption_key_stays_as_it_was_first_written() -> None:
    """B122: with another key everything that was stored becomes unreadable, and no preview could tell."""
    secret = example().only("Secret", name=KEPT)

    assert set(data_of(secret.inputs["data"])) == {"ENCRYPTION_KEY"}
    assert secret.ignore_changes == ("data",)
    assert not secret.protect, "the stack could not be destroyed"
    held = {key for other in example().of_kind("Secret") for key in data_of(other.inputs["data"]) if other != secret}
    assert "ENCRYPTION_KEY" not in held


def test_every_other_secret_follows_the_stack_file() -> None:
    """B122: a password that was replaced because it leaked must not stay."""
    others = [secret for secret in example().of_kind("Secret") if secret.metadata["name"] != KEPT]

    assert len(others) == 5
    assert [secret.urn for secret in others if secret.ignore_changes] == []


@pytest.mark.parametrize("component", ["api", "worker"])
def test_a_reader_of_the_encryption_key_waits_for_it(component: str) -> None:
    """B122: no pod starts without it and makes up another."""
    deployment = example().only("Deployment", name=f"rakazo-{component}")
    assert example().only("Secret", name=KEPT).urn in deployment.dependencies


def test_every_value_of_a_secret_is_encrypted_in_the_state() -> None:
    """B008: through secret Outputs only."""
    for secret in example().of_kind("Secret"):
        data = secret.inputs["data"]
        assert isinstance(data, Secret) or all(isinstance(value, Secret) for value in data.values())
        assert "stringData" not in secret.inputs


def test_no_secret_is_in_plain_text_in_any_input() -> None:
    """B122: neither as it is, nor encoded, nor inside another text."""
    shapes = {text for value in SECRETS.values() for text in (value, base64.b64encode(value.encode()).decode())}
    plain = [
        f"{resource.name}: {path}"
        for resource in example().seen
        for path, value in leaves(resource.inputs)
        if isinstance(value, str) and any(shape in value for shape in shapes)
    ]
    assert plain == []


def test_a_missing_model_key_leaves_no_variable_behind() -> None:
    (container,) = pod_of(example(), "api")["containers"]
    assert {item["name"] for item in container["env"]} & {"OPENROUTER_API_KEY", "ANTHROPIC_API_KEY"} == set()


@pytest.mark.parametrize("key", READERS)
def test_a_changed_secret_rolls_exactly_the_pods_that_read_it(key: str) -> None:
    before = digests(example())
    after = digests(deployed(secrets={key: "89abcdef01234567" * 4}))

    assert {name for name in before if before[name] != after[name]} == READERS[key]


def test_the_digest_is_plain_and_too_short_to_confirm_a_guess() -> None:
    """A secret annotation would hide the whole pod from a preview."""
    for digest in digests(example()).values():
        assert isinstance(digest, str)
        assert len(digest) == 8


def test_any_password_survives_the_database_url() -> None:
    """B111: `@ : / # ? %` would end a part of the URL; the error looks like a wrong password."""
    source = random.Random(111)  # noqa: S311 - a fixed sample, not a secret
    alphabet = "@:/#?%&=+ \\\"'[]{}<>|^`~abcÄß€😀0129"
    for length in range(1, 60):
        password = "".join(source.choice(alphabet) for _ in range(length))
        parts = urlsplit(render_database_url("rakazo_app", password))
        assert (parts.username, unquote(parts.password or "")) == ("rakazo_app", password)
        assert (parts.scheme, parts.hostname, parts.port, parts.path) == (
            "postgres",
            "rakazo-postgres",
            5432,
            "/rakazo",
        )


def test_only_migrate_logs_in_as_the_owner() -> None:
    api = decoded(example(), "rakazo-api", "DATABASE_URL")
    worker = decoded(example(), "rakazo-worker", "DATABASE_URL")
    migrate = decoded(example(), "rakazo-migrate", "DATABASE_MIGRATION_URL")

    assert urlsplit(api).username == urlsplit(worker).username == "rakazo_app"
    assert urlsplit(migrate).username == "rakazo"
    assert urlsplit(migrate).password == SECRETS["postgres_owner_password"]


def data_of(data: object) -> dict[str, object]:
    inner = data.value if isinstance(data, Secret) else data
    assert isinstance(inner, dict)
    return {key: value.value if isinstance(value, Secret) else value for key, value in inner.items()}


def decoded(recorder: Recorder, secret: str, key: str) -> str:
    value = data_of(recorder.only("Secret", name=secret).inputs["data"])[key]
    return base64.b64decode(str(value)).decode()
