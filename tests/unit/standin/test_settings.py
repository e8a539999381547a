"""The stand-in refuses every trap of its environment and accepts a right one; it cannot prove that the product does."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local.images.app.standin.refusals import RefusalError
from local.images.app.standin.settings import read_api, read_migrate, read_web, read_worker
from local.images.app.standin.supervisor_settings import read_supervisor

from .environments import (
    API,
    APP_PASSWORD,
    AUTH,
    ENCRYPTION,
    IN_DOCKER,
    MIGRATE,
    OWNER_PASSWORD,
    SCREEN,
    SUPERVISOR,
    TOKEN,
    WEB,
    WORKER,
)

Reader = Callable[[Mapping[str, str]], Any]
READERS: dict[str, tuple[Reader, dict[str, str]]] = {
    "api": (read_api, API),
    "worker": (read_worker, WORKER),
    "web": (read_web, WEB),
    "migrate": (read_migrate, MIGRATE),
    "api in Docker": (read_api, IN_DOCKER),
    "supervisor": (read_supervisor, SUPERVISOR),
}
OWNER_URL = MIGRATE["DATABASE_MIGRATION_URL"]

REFUSED = [
    ("api", "NODE_ENV", "development", "is not 'production'"),
    ("api", "DATABASE_URL", "", "is not set"),
    ("api", "DATABASE_URL", "mysql://rakazo_app:ab@db:1/x", "is malformed"),
    ("api", "DATABASE_URL", "postgres://rakazo_app:p%40ss@db:5432/x", "not hexadecimal"),
    ("api", "DATABASE_URL", OWNER_URL, "logs in as rakazo"),
    ("api", "DATABASE_MIGRATION_URL", OWNER_URL, "must not be given to api"),
    ("api", "POSTGRES_APP_PASSWORD", APP_PASSWORD, "must not be given to api"),
    ("api", "ENCRYPTION_KEY", "", "is not set"),
    ("api", "ENCRYPTION_KEY", ENCRYPTION[:31], "has 31 characters; at least 32"),
    ("api", "ENCRYPTION_KEY", ENCRYPTION + "\n", "is malformed"),
    ("api", "BETTER_AUTH_SECRET", "", "is not set"),
    ("api", "BETTER_AUTH_SECRET", ENCRYPTION, "equals ENCRYPTION_KEY"),
    ("api", "BETTER_AUTH_SECRET", "rakazo-development-secret-0123456789", "is a placeholder"),
    ("api", "BETTER_AUTH_SECRET", "0" * 64, "is a placeholder"),
    ("api", "SCREEN_PROXY_SECRET", "", "is not set"),
    ("api", "SCREEN_PROXY_SECRET", AUTH, "equals BETTER_AUTH_SECRET"),
    ("api", "SCREEN_PROXY_SECRET", "change-me-change-me-change-me-change", "is a placeholder"),
    ("api", "SCREEN_PROXY_SECRET", APP_PASSWORD, "equals the password in DATABASE_URL"),
    ("api", "API_PORT", "tcp://10.43.7.7:3100", "enableServiceLinks"),
    ("api", "API_PORT", "0", "no port between"),
    ("api", "BETTER_AUTH_URL", "https://rakazo.test/", "scheme and host only"),
    ("api", "WEB_ORIGIN", "rakazo.test", "scheme and host only"),
    ("api", "DATA_DIR", "", "is not set"),
    ("api", "DATA_DIR", "data", "a relative path"),
    ("api", "SANDBOX_PROVIDER", "", "write SANDBOX_PROVIDER=kubernetes or SANDBOX_PROVIDER=docker"),
    ("api", "SANDBOX_PROVIDER", "kubernets", "Unknown SANDBOX_PROVIDER"),
    ("api", "KUBERNETES_SANDBOX_COMPUTER_IMAGE", "", "is not set"),
    ("api", "KUBERNETES_SANDBOX_CPU_LIMIT", "two", "no Kubernetes quantity"),
    ("api", "WAKEUP_DRIVER", "memory", "the stand-in knows graphile"),
    ("api", "AGENT_RUNTIME", "py", "the stand-in knows pi, scripted"),
    ("api", "MCP_STDIO_ENABLED", "true", "must not be given to api"),
    ("api", "EMAIL_EMULATOR", "1", "must not be given to api"),
    ("api", "SANDBOX_SUPERVISOR_TOKEN", "7b" * 32, "must not be given to api"),
    ("api", "RAKAZO_UPDATER_URL", "http://updater", "must not be given to api"),
    ("api", "RAKAZO_ALLOW_DEV_SECRETS", "1", "remove it"),
    ("api", "SANDBOX_COMMAND_TIMEOUT_MS", "5m", "no whole number"),
    ("worker", "BETTER_AUTH_SECRET", AUTH, "must not be given to worker"),
    ("worker", "SCREEN_PROXY_SECRET", SCREEN, "must not be given to worker"),
    ("worker", "OIDC_CLIENT_SECRET", "x", "must not be given to worker"),
    ("worker", "DATABASE_MIGRATION_URL", OWNER_URL, "must not be given to worker"),
    ("worker", "SANDBOX_PROVIDER", "e2b", "kubernetes and docker only"),
    ("worker", "DATA_DIR", "./data", "a relative path"),
    ("web", "DATABASE_URL", API["DATABASE_URL"], "must not be given to web"),
    ("web", "ENCRYPTION_KEY", ENCRYPTION, "must not be given to web"),
    ("web", "BETTER_AUTH_SECRET", AUTH, "must not be given to web"),
    ("web", "OPENROUTER_API_KEY", "sk-x", "must not be given to web"),
    ("web", "DATA_DIR", "/data", "must not be given to web"),
    ("web", "SCREEN_PROXY_SECRET", "", "is not set"),
    ("web", "RAKAZO_HOST", "", "is not set"),
    ("web", "RAKAZO_HOST", "https://rakazo.test", "without scheme or port"),
    ("web", "RAKAZO_HOST", "rakazo.test,other.test", "one lower-case host name"),
    ("web", "RAKAZO_HOST", "Rakazo.test", "one lower-case host name"),
    ("web", "WEB_PORT", "tcp://10.43.7.8:5173", "enableServiceLinks"),
    ("api in Docker", "SANDBOX_SUPERVISOR_TOKEN", "", "is not set"),
    ("api in Docker", "SANDBOX_SUPERVISOR_TOKEN", TOKEN[:31], "has 31 characters; at least 32"),
    ("api in Docker", "SANDBOX_SUPERVISOR_TOKEN", ENCRYPTION, "equals ENCRYPTION_KEY"),
    ("api in Docker", "SANDBOX_SUPERVISOR_URL", "supervisor:7091", "scheme and host only"),
    ("api in Docker", "KUBERNETES_SANDBOX_CPU_LIMIT", "2", "must not be given to api"),
    ("api in Docker", "DOCKER_HOST", "unix:///var/run/docker.sock", "must not be given to api"),
    ("supervisor", "NODE_ENV", "test", "is not 'production'"),
    ("supervisor", "DATABASE_URL", API["DATABASE_URL"], "must not be given to supervisor"),
    ("supervisor", "REALTIME_DATABASE_URL", API["DATABASE_URL"], "must not be given to supervisor"),
    ("supervisor", "RAKAZO_ALLOW_DEV_SECRETS", "1", "remove it"),
    ("supervisor", "SMTP_URL", "smtp://mail.test", "must not be given to supervisor"),
    ("supervisor", "RAKAZO_UPDATER_TOKEN", "7b" * 32, "must not be given to supervisor"),
    ("supervisor", "ENCRYPTION_KEY", ENCRYPTION, "must not be given to supervisor"),
    ("supervisor", "SCREEN_PROXY_SECRET", SCREEN, "must not be given to supervisor"),
    ("supervisor", "OPENROUTER_API_KEY", "sk-x", "must not be given to supervisor"),
    ("supervisor", "SANDBOX_SUPERVISOR_TOKEN", "", "is not set"),
    ("supervisor", "SANDBOX_SUPERVISOR_TOKEN", "change-me-change-me-change-me-change", "is a placeholder"),
    ("supervisor", "SUPERVISOR_PORT", "http", "no port between"),
    ("supervisor", "DATA_DIR", "data", "a relative path"),
    ("supervisor", "RAKAZO_COMPUTER_IMAGE", "registry.test/computer:edge", "64 hexadecimal digits"),
    ("supervisor", "SANDBOX_SCREEN_NETWORK", "internal", "the stand-in knows isolated"),
    ("supervisor", "SANDBOX_COMPUTER_EGRESS", "RESTRICTED", "write restricted or open"),
    ("supervisor", "RAKAZO_COMPUTER_MEMORY", "2 GB", "write 2g, 1536m"),
    ("supervisor", "RAKAZO_COMPUTER_MEMORY", "5m", "at least 6m"),
    ("supervisor", "RAKAZO_COMPUTER_CPUS", "0.0", "write a number of processors"),
    ("supervisor", "RAKAZO_COMPUTER_PIDS_LIMIT", "1.5", "write a number of processes"),
    ("supervisor", "SANDBOX_COMPUTER_MOUNTS", "/srv/work", "write <folder of the machine>"),
    ("supervisor", "SANDBOX_COMPUTER_MOUNTS", "srv:/work", "no absolute path"),
    ("supervisor", "SANDBOX_COMPUTER_MOUNTS", "/:/work", "no absolute path"),
    ("supervisor", "SANDBOX_COMPUTER_MOUNTS", "/srv/../etc:/work", "no absolute path"),
    ("supervisor", "SANDBOX_COMPUTER_MOUNTS", "/var/run:/work", "belongs to the system"),
    ("supervisor", "SANDBOX_COMPUTER_MOUNTS", "/srv/work:/usr", "belongs to the system"),
    ("supervisor", "SANDBOX_COMPUTER_MOUNTS", "/srv/work:/work:ro:x", "write <folder of the machine>"),
    ("supervisor", "HOSTNAME", "", "is not set"),
    ("migrate", "DATABASE_MIGRATION_URL", "", "is not set"),
    ("migrate", "DATABASE_MIGRATION_URL", API["DATABASE_URL"], "cannot change the schema"),
    ("migrate", "POSTGRES_APP_PASSWORD", "", "is not set"),
    ("migrate", "POSTGRES_APP_PASSWORD", "correct-horse-battery-staple-0123", "not hexadecimal"),
    ("migrate", "POSTGRES_APP_PASSWORD", OWNER_PASSWORD, "equals the password in DATABASE_MIGRATION_URL"),
    ("migrate", "ENCRYPTION_KEY", ENCRYPTION, "must not be given to migrate"),
    ("migrate", "BETTER_AUTH_SECRET", AUTH, "must not be given to migrate"),
    ("migrate", "SCREEN_PROXY_SECRET", SCREEN, "must not be given to migrate"),
]


@pytest.mark.parametrize(("service", "name", "value", "reason"), REFUSED)
def test_one_wrong_variable_keeps_a_service_from_starting_and_is_the_only_reason(
    service: str, name: str, value: str, reason: str
) -> None:
    """B101: a falsified port; B104: a secret where it must not be; B111: a password that breaks the URL.

    B120: an unknown or missing provider; B122: secrets that are short, equal or placeholders.
    """
    read, right = READERS[service]
    with pytest.raises(RefusalError) as refusal:
        read(right | {name: value})
    assert [one for one in refusal.value.reasons if one.startswith(f"{name} ") and reason in one], (
        f"{refusal.value.reasons} do not say that {name} {reason}"
    )
    other = [one for one in refusal.value.reasons if name not in one]
    assert other == [], "nothing else was wrong"


@pytest.mark.parametrize("service", READERS)
def test_a_right_environment_is_accepted(service: str) -> None:
    read, right = READERS[service]
    read(right)


@pytest.mark.parametrize("service", READERS)
def test_a_refusal_never_shows_a_secret(service: str) -> None:
    read, right = READERS[service]
    secrets = {ENCRYPTION, AUTH, SCREEN, APP_PASSWORD, OWNER_PASSWORD, TOKEN}
    everything = API | MIGRATE | {"OPENROUTER_API_KEY": ENCRYPTION, "SCREEN_PROXY_SECRET": AUTH}
    with pytest.raises(RefusalError) as refusal:
        read(right | everything | {"NODE_ENV": "test", "DATABASE_MIGRATION_URL": API["DATABASE_URL"]})
    text = str(refusal.value)
    assert [secret for secret in secrets if secret in text] == []


def test_api_listens_on_loopback_when_nothing_is_said() -> None:
    """B102: without API_HOST the Service has no endpoint."""
    without = {name: value for name, value in API.items() if name != "API_HOST"}
    assert read_api(without).host == "127.0.0.1"
    assert read_api(API).host == API["API_HOST"]


def test_origins_default_to_loopback() -> None:
    """B125: signing in behind a domain fails when the three addresses are not set."""
    names = {"BETTER_AUTH_URL", "WEB_ORIGIN", "API_URL"}
    settings = read_api({name: value for name, value in API.items() if name not in names})
    assert set(settings.origins) == {"http://127.0.0.1:3100", "http://127.0.0.1:5173"}


@pytest.mark.parametrize(
    ("value", "is_open"), [("false", False), ("0", False), ("no", True), ("", True), ("true", True)]
)
def test_sign_up_closes_on_false_and_0_only(value: str, is_open: bool) -> None:
    assert read_api(API | {"SIGNUPS_ENABLED": value}).signups_open is is_open


def test_a_command_may_take_an_hour_at_most() -> None:
    settings = read_worker(WORKER | {"SANDBOX_COMMAND_TIMEOUT_MS": "7200000"})
    assert settings.sandbox.command_timeout == 3600
    assert read_worker(WORKER).sandbox.command_timeout == 300
