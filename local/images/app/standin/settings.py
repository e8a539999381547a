"""What each service reads from its environment, and everything that keeps it from starting."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from .environment import Environment
from .sandbox_settings import Sandbox, read_sandbox

APP_LOGIN = "rakazo_app"


@dataclass(frozen=True)
class SharedSettings:
    """What api and worker have in common; both must be given the same values."""

    database_url: str
    realtime_database_url: str
    pool_size: int
    encryption_key: str
    data: PurePosixPath
    runtime: str
    composio: bool
    sandbox: Sandbox


@dataclass(frozen=True)
class ApiSettings:
    """What api reads."""

    shared: SharedSettings
    auth_secret: str
    screen_secret: str
    host: str
    port: int
    base_url: str
    origins: tuple[str, ...]
    signups_open: bool
    allow_list: tuple[str, ...]
    revision: str | None


@dataclass(frozen=True)
class WebSettings:
    """What web reads."""

    screen_secret: str
    api: str
    host: str


@dataclass(frozen=True)
class MigrateSettings:
    """What the migration reads."""

    owner_url: str
    app_password: str


def read_api(values: Mapping[str, str]) -> ApiSettings:
    """Read api's environment.

    Raises:
        RefusalError: api must not start like this.

    """
    env = Environment("api", values)
    env.production()
    shared = _shared(env)
    settings = ApiSettings(
        shared=shared,
        auth_secret=env.secret("BETTER_AUTH_SECRET"),
        screen_secret=env.secret("SCREEN_PROXY_SECRET"),
        host=env.optional("API_HOST", "127.0.0.1"),
        port=env.port("API_PORT", 3100),
        base_url=env.origin("BETTER_AUTH_URL", "http://127.0.0.1:3100"),
        origins=(
            env.origin("BETTER_AUTH_URL", "http://127.0.0.1:3100"),
            env.origin("WEB_ORIGIN", "http://127.0.0.1:5173"),
            env.origin("API_URL", "http://127.0.0.1:3100"),
        ),
        signups_open=values.get("SIGNUPS_ENABLED", "") not in {"false", "0"},
        allow_list=tuple(
            entry.strip().lower() for entry in env.optional("SIGNUP_ALLOWLIST").split(",") if entry.strip()
        ),
        revision=env.optional("RAKAZO_GIT_SHA") or env.optional("GIT_SHA") or None,
    )
    for name in ("RAKAZO_UPDATER_URL", "RAKAZO_UPDATER_TOKEN"):
        env.forbidden(name, "the updater belongs to Compose installs")
    env.finish()
    return settings


def read_worker(values: Mapping[str, str]) -> SharedSettings:
    """Read worker's environment.

    Raises:
        RefusalError: worker must not start like this.

    """
    env = Environment("worker", values)
    env.production()
    shared = _shared(env)
    env.forbidden("BETTER_AUTH_SECRET", "only api signs people in")
    env.forbidden("SCREEN_PROXY_SECRET", "only api and web open screens")
    env.forbidden_prefix("OIDC_", "only api signs people in")
    env.finish()
    return shared


def read_web(values: Mapping[str, str]) -> WebSettings:
    """Read web's environment.

    Raises:
        RefusalError: web must not start like this.

    """
    env = Environment("web", values)
    env.production()
    for name in ("DATABASE_URL", "REALTIME_DATABASE_URL", "DATABASE_MIGRATION_URL", "POSTGRES_APP_PASSWORD"):
        env.forbidden(name, "web never talks to the database")
    for name in ("ENCRYPTION_KEY", "BETTER_AUTH_SECRET", "OIDC_CLIENT_SECRET", "SMTP_URL"):
        env.forbidden(name, "web faces the public and holds the screen secret only")
    env.forbidden_suffix("_API_KEY", "web calls no provider and no model")
    env.forbidden("DATA_DIR", "web has no share in the data volume")
    # The published web survives a falsified WEB_PORT only while `--port` is on its command line.
    env.port("WEB_PORT", 5173)
    host = env.required("RAKAZO_HOST", "RAKAZO_HOST to the bare public host name")
    if host and (host != host.lower() or not all(c.isalnum() or c in "-." for c in host)):
        env.problem("RAKAZO_HOST", f"is {host!r}; write one lower-case host name without scheme or port")
    settings = WebSettings(
        screen_secret=env.secret("SCREEN_PROXY_SECRET"),
        api=env.origin("API_PROXY_TARGET", "http://127.0.0.1:3100"),
        host=host,
    )
    env.finish()
    return settings


def read_migrate(values: Mapping[str, str]) -> MigrateSettings:
    """Read the migration's environment.

    Raises:
        RefusalError: the migration must not run like this.

    """
    env = Environment("migrate", values)
    env.guarded()
    for name in ("ENCRYPTION_KEY", "BETTER_AUTH_SECRET", "SCREEN_PROXY_SECRET"):
        env.forbidden(name, "a migration needs the database only")
    url = env.database("DATABASE_MIGRATION_URL", None)
    if f"//{APP_LOGIN}:" in url:
        env.problem("DATABASE_MIGRATION_URL", f"logs in as {APP_LOGIN}, which cannot change the schema")
    password = env.secret("POSTGRES_APP_PASSWORD")
    if password and any(character not in "0123456789abcdefABCDEF" for character in password):
        env.problem("POSTGRES_APP_PASSWORD", "is not hexadecimal; it becomes part of DATABASE_URL")
    env.finish()
    return MigrateSettings(owner_url=url, app_password=password)


def _shared(env: Environment) -> SharedSettings:
    env.forbidden("DATABASE_MIGRATION_URL", "only migrate holds the owner's login")
    env.forbidden("POSTGRES_APP_PASSWORD", "only migrate sets it; here it is part of DATABASE_URL")
    env.forbidden("EMAIL_EMULATOR", "production sends mail or none")
    env.forbidden("MCP_STDIO_ENABLED", "it runs commands inside the service instead of a computer")
    env.choice("WAKEUP_DRIVER", ("graphile",), "graphile")
    data = env.required("DATA_DIR", "DATA_DIR=/data")
    if data and not data.startswith("/"):
        env.problem("DATA_DIR", f"is {data!r}, a relative path that is lost on restart; write DATA_DIR=/data")
    database = env.database("DATABASE_URL", APP_LOGIN)
    if env.optional("REALTIME_DATABASE_URL") not in {"", database}:
        env.database("REALTIME_DATABASE_URL", APP_LOGIN)
    env.number("SANDBOX_IDLE_MS", 600_000)
    return SharedSettings(
        database_url=database,
        realtime_database_url=env.optional("REALTIME_DATABASE_URL", database),
        pool_size=max(1, env.number("DB_POOL_MAX", 4)),
        encryption_key=env.secret("ENCRYPTION_KEY"),
        data=PurePosixPath(data),
        runtime=env.choice("AGENT_RUNTIME", ("pi", "scripted"), "pi"),
        composio=bool(env.optional("COMPOSIO_API_KEY")),
        sandbox=read_sandbox(env),
    )
