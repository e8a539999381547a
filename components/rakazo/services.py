"""The one table of Rakazo's services. Figures are measured unless a comment says otherwise.

`docker_services` says what is different where computers are Docker's.
"""

from components.kubernetes import names
from components.service import (
    CommandProbe,
    Endpoint,
    HttpProbe,
    Scratch,
    SecretValue,
    Service,
    Setting,
    Size,
    Source,
    TcpProbe,
    Volume,
)

APP_USER = 1000  # `node` in the app image
POSTGRES_USER = 999  # `postgres` in the Debian image
DATA_DIR = "/data"
DATABASE = "rakazo"
OWNER_LOGIN = "rakazo"
APP_LOGIN = "rakazo_app"

NODE = ("node", "--import", "tsx", "src/index.ts")
"""Never through pnpm: it dies on SIGTERM before its service has finished, and needs the package registry."""

MODEL_KEYS: dict[str, Source] = {
    "OPENROUTER_API_KEY": SecretValue.OPENROUTER_API_KEY,
    "ANTHROPIC_API_KEY": SecretValue.ANTHROPIC_API_KEY,
}
COMPUTERS: dict[str, Source] = {
    "SANDBOX_PROVIDER": "kubernetes",
    "KUBERNETES_SANDBOX_NAMESPACE": Setting.COMPUTERS_NAMESPACE,
    "KUBERNETES_SANDBOX_COMPUTER_IMAGE": Setting.COMPUTER_IMAGE,
    "KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME": Setting.RUNTIME_CLASS,
    "KUBERNETES_SANDBOX_CPU_LIMIT": Setting.CPU_LIMIT,
    "KUBERNETES_SANDBOX_MEMORY_LIMIT": Setting.MEMORY_LIMIT,
}
"""The same in api and worker: both create computers."""
SHARED: dict[str, Source] = {
    "NODE_ENV": "production",
    "DATABASE_URL": SecretValue.DATABASE_URL,
    "ENCRYPTION_KEY": SecretValue.ENCRYPTION_KEY,
    "DATA_DIR": DATA_DIR,
    "WAKEUP_DRIVER": "graphile",  # the other one, `memory`, works in a single process only
    "AGENT_RUNTIME": Setting.AGENT_RUNTIME,
    **COMPUTERS,
    **MODEL_KEYS,
}
OWNER_ONLY = frozenset({"DATABASE_MIGRATION_URL", "POSTGRES_PASSWORD", "POSTGRES_APP_PASSWORD"})
SIGN_IN = frozenset({"BETTER_AUTH_SECRET", "SCREEN_PROXY_SECRET", "OIDC_CLIENT_SECRET"})
SUPERVISOR_TOKEN = "SANDBOX_SUPERVISOR_TOKEN"  # noqa: S105 - the name of a variable
NEVER = frozenset({"RAKAZO_ALLOW_DEV_SECRETS", "RAKAZO_UPDATER_TOKEN", SUPERVISOR_TOKEN})
DATABASE_LOGINS = frozenset({"DATABASE_URL", *OWNER_ONLY})

_ANSWERS = ("pg_isready", "--quiet", "--host=127.0.0.1", f"--port={names.POSTGRES_PORT}")
_LIVES = ("sh", "-c", f"{' '.join(_ANSWERS)}; test $? -le 1")
"""Exit code 1 is `rejecting connections`: a Postgres that recovers after a crash lives, and killing it would
start the recovery over."""

POSTGRES = Service(
    name="postgres",
    image="postgres",
    port=names.POSTGRES_PORT,
    user=POSTGRES_USER,
    variables={
        "POSTGRES_DB": DATABASE,
        "POSTGRES_USER": OWNER_LOGIN,
        "POSTGRES_PASSWORD": SecretValue.OWNER_PASSWORD,
        # Below the mount: initdb refuses a root with lost+found, and the image's own default moves with 18.
        "PGDATA": "/var/lib/postgresql/data/pgdata",
    },
    forbidden=frozenset({"DATABASE_URL", "ENCRYPTION_KEY", *SIGN_IN, *MODEL_KEYS, *NEVER}),
    requests=Size(cpu_millis=100, memory_mib=256, disk_mib=64),  # not measured; upstream limits it to 2 GiB
    limits=Size(cpu_millis=2000, memory_mib=2048, disk_mib=512),
    # Ten minutes for initdb on a slow disk; recovery answers at once, see above.
    startup=CommandProbe(command=_LIVES, period_seconds=1, failures=600),
    readiness=CommandProbe(command=_ANSWERS, period_seconds=2, failures=3),
    liveness=CommandProbe(command=_LIVES, period_seconds=10, failures=6),
    scratch=(Scratch(path="/var/run/postgresql", mib=16), Scratch(path="/tmp", mib=256)),  # noqa: S108 - in a pod
    volume=Volume(name=names.POSTGRES_VOLUME, path="/var/lib/postgresql/data"),
    pids=200,  # upstream's
    grace_seconds=120,
)

MIGRATE = Service(
    name="migrate",
    image="app",
    command=("node", "node_modules/prisma/build/index.js", "migrate", "deploy"),
    working_directory="/app/packages/db",
    user=APP_USER,
    variables={
        "NODE_ENV": "production",
        "DATABASE_MIGRATION_URL": SecretValue.MIGRATION_URL,
        "POSTGRES_APP_PASSWORD": SecretValue.APP_PASSWORD,  # it creates the login of api and worker with it
    },
    forbidden=frozenset({"ENCRYPTION_KEY", *SIGN_IN, *MODEL_KEYS, *NEVER}),
    requests=Size(cpu_millis=100, memory_mib=256, disk_mib=64),  # not measured
    limits=Size(cpu_millis=1000, memory_mib=512, disk_mib=256),
    scratch=(Scratch(path="/tmp", mib=128),),  # noqa: S108 - in a pod
    grace_seconds=60,
    awaits=Endpoint(host=names.POSTGRES, port=names.POSTGRES_PORT),
    after=("postgres",),
)

API = Service(
    name="api",
    image="app",
    command=NODE,
    working_directory="/app/apps/api",
    port=names.API_PORT,
    user=APP_USER,
    variables={
        **SHARED,
        "BETTER_AUTH_SECRET": SecretValue.BETTER_AUTH_SECRET,
        "SCREEN_PROXY_SECRET": SecretValue.SCREEN_PROXY_SECRET,
        "BETTER_AUTH_URL": Setting.ORIGIN,
        "WEB_ORIGIN": Setting.ORIGIN,
        "API_URL": Setting.ORIGIN,
        "API_HOST": "0.0.0.0",  # noqa: S104 - its default, loopback, leaves the Service without endpoint
        "API_PORT": str(names.API_PORT),  # else a Service named `api` would set it to tcp://…
        "SIGNUPS_ENABLED": Setting.SIGNUPS_ENABLED,
        "SIGNUP_ALLOWLIST": Setting.SIGNUP_ALLOWLIST,
    },
    forbidden=OWNER_ONLY | NEVER,
    requests=Size(cpu_millis=250, memory_mib=400, disk_mib=256),
    limits=Size(cpu_millis=2000, memory_mib=1536, disk_mib=4096),
    # 34 s at a tenth of a core; three minutes leave room for a cold disk.
    startup=HttpProbe(path="/health", port=names.API_PORT, period_seconds=1, failures=180),
    readiness=HttpProbe(path="/health", port=names.API_PORT, period_seconds=5, failures=3),
    # /health never asks the database, so an outage of Postgres restarts nothing.
    liveness=HttpProbe(path="/health", port=names.API_PORT, period_seconds=10, failures=6),
    scratch=(Scratch(path="/tmp", mib=3072),),  # noqa: S108 - in a pod; holds one workspace while it is saved
    volume=Volume(name=names.DATA_VOLUME, path=DATA_DIR),
    uses_kubernetes=True,
    grace_seconds=60,  # 8 s with open event streams
    after=("postgres", "migrate"),
)

WORKER = Service(
    name="worker",
    image="app",
    command=NODE,
    working_directory="/app/apps/worker",
    user=APP_USER,
    variables=SHARED,
    forbidden=SIGN_IN | OWNER_ONLY | NEVER,
    requests=Size(cpu_millis=250, memory_mib=384, disk_mib=256),
    limits=Size(cpu_millis=2000, memory_mib=2048, disk_mib=8192),
    # No probes: it listens nowhere, and as process 1 its exit is all there is to see.
    scratch=(Scratch(path="/tmp", mib=7168),),  # noqa: S108 - in a pod; holds workspaces while they are saved
    volume=Volume(name=names.DATA_VOLUME, path=DATA_DIR),
    uses_kubernetes=True,
    pids=512,
    grace_seconds=2700,  # a running job may need 45 minutes to reach a point where it can be taken over
    after=("postgres", "migrate", "api"),
)

WEB = Service(
    name="web",
    image="app",
    command=("node", "node_modules/vite/bin/vite.js", "preview", "--host", "0.0.0.0", "--port", str(names.WEB_PORT)),  # noqa: S104
    working_directory="/app/apps/web",
    port=names.WEB_PORT,
    user=APP_USER,
    variables={
        "NODE_ENV": "production",
        "SCREEN_PROXY_SECRET": SecretValue.SCREEN_PROXY_SECRET,
        "API_PROXY_TARGET": Setting.API_URL,
        "RAKAZO_HOST": Setting.HOST,
        "WEB_PORT": str(names.WEB_PORT),  # as API_PORT
    },
    forbidden=frozenset(
        {"DATABASE_URL", "ENCRYPTION_KEY", "BETTER_AUTH_SECRET", "OIDC_CLIENT_SECRET", "DATA_DIR"}
        | {*OWNER_ONLY, *MODEL_KEYS, *NEVER}
    ),
    requests=Size(cpu_millis=50, memory_mib=160, disk_mib=64),
    limits=Size(cpu_millis=1000, memory_mib=512, disk_mib=512),
    # `/` with the pod's address as host is answered by web itself; its /health is the page, whatever happens.
    startup=TcpProbe(port=names.WEB_PORT, period_seconds=1, failures=120),
    readiness=HttpProbe(path="/", port=names.WEB_PORT, period_seconds=5, failures=3),
    liveness=TcpProbe(port=names.WEB_PORT, period_seconds=10, failures=6),
    scratch=(
        Scratch(path="/app/apps/web/node_modules/.vite-temp", mib=64),
        Scratch(path="/tmp", mib=128),  # noqa: S108 - in a pod
    ),
    pids=128,
    grace_seconds=30,  # it ends at once
    replicas=2,
    after=("api",),
)

PREPULL = Service(
    name="prepull",
    image="app",
    command=("true",),
    user=APP_USER,
    variables={},
    forbidden=frozenset({"DATABASE_URL", "ENCRYPTION_KEY", *OWNER_ONLY, *SIGN_IN, *MODEL_KEYS, *NEVER}),
    requests=Size(cpu_millis=50, memory_mib=64, disk_mib=16),
    limits=Size(cpu_millis=500, memory_mib=256, disk_mib=16),
    grace_seconds=1,
)
"""No service: it proves that a node has a release's image."""

SERVICES = (POSTGRES, MIGRATE, API, WORKER, WEB)
"""In the order in which they start."""
