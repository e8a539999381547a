"""Environments that the services accept; tests change one thing at a time."""

APP_PASSWORD = "5f6a7b8c" * 4
OWNER_PASSWORD = "6a7b8c9d" * 4
ENCRYPTION = "1b2c3d4e" * 8
AUTH = "2c3d4e5f" * 8
SCREEN = "3d4e5f60" * 8
TOKEN = "4e5f6071" * 8

SHARED = {
    "NODE_ENV": "production",
    "DATABASE_URL": f"postgres://rakazo_app:{APP_PASSWORD}@rakazo-postgres:5432/rakazo",
    "ENCRYPTION_KEY": ENCRYPTION,
    "DATA_DIR": "/data",
    "SANDBOX_PROVIDER": "kubernetes",
    "KUBERNETES_SANDBOX_COMPUTER_IMAGE": "registry.test/computer@sha256:0",
}
API = SHARED | {
    "BETTER_AUTH_SECRET": AUTH,
    "SCREEN_PROXY_SECRET": SCREEN,
    "API_HOST": "0.0.0.0",  # noqa: S104
    "API_PORT": "3100",
    "BETTER_AUTH_URL": "https://rakazo.test",
    "WEB_ORIGIN": "https://rakazo.test",
    "API_URL": "https://rakazo.test",
}
IN_DOCKER = {
    **{name: value for name, value in API.items() if not name.startswith("KUBERNETES_")},
    "SANDBOX_PROVIDER": "docker",
    "SANDBOX_SUPERVISOR_URL": "http://supervisor:7091",
    "SANDBOX_SUPERVISOR_TOKEN": TOKEN,
}
"""api, where computers are containers."""
SUPERVISOR = {
    "NODE_ENV": "production",
    "DATA_DIR": "/data",
    "SUPERVISOR_HOST": "172.30.0.2",
    "SUPERVISOR_PORT": "7091",
    "SANDBOX_SUPERVISOR_TOKEN": TOKEN,
    "RAKAZO_COMPUTER_IMAGE": f"registry.test/computer@sha256:{'0' * 64}",
    "SANDBOX_SCREEN_NETWORK": "isolated",
    "SANDBOX_COMPUTER_EGRESS": "restricted",
    "HOSTNAME": "5a6b7c8d9e0f",
}
WORKER = SHARED | {"BETTER_AUTH_SECRET": "", "SCREEN_PROXY_SECRET": ""}
WEB = {
    "NODE_ENV": "production",
    "SCREEN_PROXY_SECRET": SCREEN,
    "RAKAZO_HOST": "rakazo.test",
    "WEB_PORT": "5173",
    "API_PROXY_TARGET": "http://rakazo-api:3100",
}
MIGRATE = {
    "DATABASE_MIGRATION_URL": f"postgres://rakazo:{OWNER_PASSWORD}@rakazo-postgres:5432/rakazo",
    "POSTGRES_APP_PASSWORD": APP_PASSWORD,
}
