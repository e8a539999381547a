"""The table of services: what each is given, what it must never have, and the figures that were measured."""

import ast
from pathlib import Path

import pytest

from components.kubernetes import names
from components.rakazo.services import API, MIGRATE, POSTGRES, SERVICES, WEB, WORKER
from components.service import CommandProbe, HttpProbe, SecretValue, Service, TcpProbe

ROOT = Path(__file__).parents[3]

SHARED = {
    "NODE_ENV",
    "DATABASE_URL",
    "ENCRYPTION_KEY",
    "DATA_DIR",
    "WAKEUP_DRIVER",
    "AGENT_RUNTIME",
    "SANDBOX_PROVIDER",
    "KUBERNETES_SANDBOX_NAMESPACE",
    "KUBERNETES_SANDBOX_COMPUTER_IMAGE",
    "KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME",
    "KUBERNETES_SANDBOX_CPU_LIMIT",
    "KUBERNETES_SANDBOX_MEMORY_LIMIT",
    "OPENROUTER_API_KEY",
    "ANTHROPIC_API_KEY",
}
EXACTLY = {
    "postgres": {"POSTGRES_DB", "POSTGRES_USER", "POSTGRES_PASSWORD", "PGDATA"},
    "migrate": {"NODE_ENV", "DATABASE_MIGRATION_URL", "POSTGRES_APP_PASSWORD"},
    "worker": SHARED,
    "web": {"NODE_ENV", "SCREEN_PROXY_SECRET", "API_PROXY_TARGET", "RAKAZO_HOST", "WEB_PORT"},
    "api": SHARED
    | {"BETTER_AUTH_SECRET", "SCREEN_PROXY_SECRET", "BETTER_AUTH_URL", "WEB_ORIGIN", "API_URL"}
    | {"API_HOST", "API_PORT", "SIGNUPS_ENABLED", "SIGNUP_ALLOWLIST"},
}
HOLDERS = {
    SecretValue.ENCRYPTION_KEY: {"api", "worker"},
    SecretValue.BETTER_AUTH_SECRET: {"api"},
    SecretValue.SCREEN_PROXY_SECRET: {"api", "web"},
    SecretValue.DATABASE_URL: {"api", "worker"},
    SecretValue.MIGRATION_URL: {"migrate"},
    SecretValue.OWNER_PASSWORD: {"postgres"},
    SecretValue.APP_PASSWORD: {"migrate"},
    SecretValue.SUPERVISOR_TOKEN: set(),
    SecretValue.OPENROUTER_API_KEY: {"api", "worker"},
    SecretValue.ANTHROPIC_API_KEY: {"api", "worker"},
}
every_service = pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)


@every_service
def test_a_service_has_exactly_the_variables_that_it_needs(service: Service) -> None:
    assert set(service.variables) == EXACTLY[service.name]


@every_service
def test_a_service_has_no_variable_that_it_must_not_have(service: Service) -> None:
    assert service.forbidden, "an empty list would prove nothing"
    assert set(service.variables) & service.forbidden == set()


@pytest.mark.parametrize("secret", SecretValue)
def test_a_secret_is_held_by_those_that_need_it_and_nobody_else(secret: SecretValue) -> None:
    """B122: SCREEN_PROXY_SECRET in api and web, ENCRYPTION_KEY in api and worker."""
    assert {service.name for service in SERVICES if secret in service.variables.values()} == HOLDERS[secret]


@pytest.mark.parametrize(
    ("service", "names_kept_away"),
    [
        (WEB, {"DATABASE_URL", "ENCRYPTION_KEY", "BETTER_AUTH_SECRET", "OPENROUTER_API_KEY", "DATA_DIR"}),
        (WORKER, {"BETTER_AUTH_SECRET", "SCREEN_PROXY_SECRET", "DATABASE_MIGRATION_URL"}),
        (API, {"DATABASE_MIGRATION_URL", "POSTGRES_APP_PASSWORD"}),
        (MIGRATE, {"ENCRYPTION_KEY", "BETTER_AUTH_SECRET", "SCREEN_PROXY_SECRET"}),
        (POSTGRES, {"ENCRYPTION_KEY", "BETTER_AUTH_SECRET", "SCREEN_PROXY_SECRET"}),
    ],
    ids=lambda value: value.name if isinstance(value, Service) else "",
)
def test_what_a_service_must_not_have_is_listed(service: Service, names_kept_away: set[str]) -> None:
    assert names_kept_away <= service.forbidden


@every_service
def test_nothing_that_loosens_the_app_is_ever_set(service: Service) -> None:
    """Development secrets, commands inside the service, the Compose updater."""
    loosening = {"RAKAZO_ALLOW_DEV_SECRETS", "MCP_STDIO_ENABLED", "RAKAZO_UPDATER_TOKEN", "EMAIL_EMULATOR"}
    assert set(service.variables) & loosening == set()


def test_no_service_is_started_through_a_package_manager_or_a_shell() -> None:
    """Measured: pnpm dies on SIGTERM before its service has finished, and downloads itself at each start."""
    commands = {service.name: service.command for service in SERVICES if service.image == "app"}

    assert {name: command[0] for name, command in commands.items()} == dict.fromkeys(commands, "node")
    assert set(commands) == {"migrate", "api", "worker", "web"}


def test_api_listens_where_a_service_can_reach_it() -> None:
    """B102: its default is loopback."""
    assert API.variables["API_HOST"] == "0.0.0.0"  # noqa: S104 - inside a pod


def test_ports_that_kubernetes_could_falsify_are_written_out() -> None:
    """B101: a Service named `api` injects API_PORT=tcp://…"""
    assert API.variables["API_PORT"] == "3100"
    assert WEB.variables["WEB_PORT"] == "5173"
    assert WEB.command[-2:] == ("--port", "5173")
    assert {names.service_object(service.name) for service in SERVICES} & {"api", "web"} == set()


def test_the_sandbox_provider_is_written_out_in_api_and_worker() -> None:
    """B120: a blank provider leaves computers off while /health stays 200."""
    assert [service.variables["SANDBOX_PROVIDER"] for service in (API, WORKER)] == ["kubernetes"] * 2


def test_every_service_starts_after_what_it_waits_for() -> None:
    """B109: one migration before api and worker; a worker without schema would not even exit."""
    order = [service.name for service in SERVICES]

    assert order == ["postgres", "migrate", "api", "worker", "web"]
    assert [
        name for service in SERVICES for name in service.after if order.index(name) >= order.index(service.name)
    ] == []
    assert "migrate" in API.after
    assert "migrate" in WORKER.after


@pytest.mark.parametrize(
    ("service", "idle_mib", "killed_at_mib"), [(API, 290, 256), (WORKER, 190, 160), (WEB, 100, 64)]
)
def test_memory_leaves_room_above_what_was_measured(service: Service, idle_mib: int, killed_at_mib: int) -> None:
    assert service.requests.memory_mib > idle_mib
    assert service.limits.memory_mib > 2 * killed_at_mib


@every_service
def test_requests_stay_within_limits(service: Service) -> None:
    for requested, limit in (
        (service.requests.cpu_millis, service.limits.cpu_millis),
        (service.requests.memory_mib, service.limits.memory_mib),
        (service.requests.disk_mib, service.limits.disk_mib),
    ):
        assert 0 < requested <= limit


@every_service
def test_writable_folders_fit_into_the_disk_limit(service: Service) -> None:
    """Else the pod is evicted before a folder's own limit is reached."""
    assert sum(scratch.mib for scratch in service.scratch) <= service.limits.disk_mib


@pytest.mark.parametrize(
    ("service", "paths"),
    [
        (API, {"/tmp"}),
        (WORKER, {"/tmp"}),
        (WEB, {"/tmp", "/app/apps/web/node_modules/.vite-temp"}),
        (MIGRATE, {"/tmp"}),
        (POSTGRES, {"/tmp", "/var/run/postgresql"}),
    ],
    ids=lambda value: value.name if isinstance(value, Service) else "",
)
def test_only_the_measured_folders_are_writable(service: Service, paths: set[str]) -> None:
    assert {scratch.path for scratch in service.scratch} == paths


def test_api_is_asked_for_health_that_never_touches_the_database() -> None:
    """B113: else an outage of Postgres would restart api."""
    probes = (API.startup, API.readiness, API.liveness)
    assert [(probe.path, probe.port) for probe in probes if isinstance(probe, HttpProbe)] == [("/health", 3100)] * 3


def test_api_has_three_minutes_to_start() -> None:
    """Measured: 34 s at a tenth of a core."""
    assert isinstance(API.startup, HttpProbe)
    assert API.startup.period_seconds * API.startup.failures >= 120


def test_web_is_never_asked_for_health() -> None:
    """B121: it answers 200 with its page, whatever is wrong."""
    paths = [probe.path for probe in (WEB.startup, WEB.readiness, WEB.liveness) if isinstance(probe, HttpProbe)]
    assert paths == ["/"]
    assert isinstance(WEB.liveness, TcpProbe)


def test_the_worker_has_no_probe() -> None:
    """It listens nowhere; its exit is the only sign."""
    assert (WORKER.startup, WORKER.readiness, WORKER.liveness, WORKER.port) == (None, None, None, None)


def test_a_recovering_postgres_counts_as_alive_and_not_as_ready() -> None:
    """Exit code 1 of pg_isready is `rejecting connections`; killing it would start the recovery over."""
    assert isinstance(POSTGRES.liveness, CommandProbe)
    assert isinstance(POSTGRES.startup, CommandProbe)
    assert isinstance(POSTGRES.readiness, CommandProbe)
    assert POSTGRES.liveness.command[-1].endswith("; test $? -le 1")
    assert POSTGRES.startup.command == POSTGRES.liveness.command
    assert POSTGRES.readiness.command[0] == "pg_isready"


@pytest.mark.parametrize(("service", "seconds"), [(WORKER, 2700), (API, 60), (POSTGRES, 120), (WEB, 30)])
def test_a_service_has_the_time_it_needs_to_end(service: Service, seconds: int) -> None:
    """Measured, and 45 minutes for the worker's running jobs."""
    assert service.grace_seconds == seconds


@pytest.mark.parametrize("path", ["components/service.py", "components/rakazo/services.py"])
def test_the_table_knows_neither_kubernetes_nor_pulumi(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [f"{node.module}.{alias.name}" for alias in node.names]
            if isinstance(node, ast.ImportFrom) and node.module == "components.kubernetes"
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= {
        "collections.abc",
        "dataclasses",
        "enum",
        "typing",
        "components.kubernetes.names",
        "components.service",
    }
