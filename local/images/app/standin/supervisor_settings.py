"""What the supervisor reads from its environment, and everything that keeps it from starting."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from .container_limits import Limits, read_limits
from .container_mounts import HostFolder, read_mounts
from .environment import Environment

PINNED = re.compile(r"[^\s@]+@sha256:[0-9a-f]{64}")
SCREEN_NETWORKS = ("isolated",)
"""Upstream has `published` and `internal`, too: for supervisors outside of containers, and with a shared network."""
DATABASE_LOGINS = ("DATABASE_URL", "REALTIME_DATABASE_URL", "DATABASE_MIGRATION_URL")
EGRESS = ("restricted", "open", "")


@dataclass(frozen=True)
class SupervisorSettings:
    """What the supervisor reads."""

    token: str
    host: str
    port: int
    socket: str
    data: PurePosixPath
    image: str
    limits: Limits
    folders: tuple[HostFolder, ...]
    egress: Literal["restricted", "open", ""]
    """`restricted`: no computer starts without the rules; `open`: nobody looks; empty: looks, and goes on without."""
    container: str
    """The identifier of its own container, which Docker gives it as its host name."""


def read_supervisor(values: Mapping[str, str]) -> SupervisorSettings:
    """Read the supervisor's environment.

    Raises:
        RefusalError: the supervisor must not start like this.

    """
    env = Environment("supervisor", values)
    env.production()
    for name in (*DATABASE_LOGINS, "POSTGRES_PASSWORD", "POSTGRES_APP_PASSWORD"):
        env.forbidden(name, "the supervisor never talks to the database")
    for name in ("ENCRYPTION_KEY", "BETTER_AUTH_SECRET", "SCREEN_PROXY_SECRET", "OIDC_CLIENT_SECRET", "SMTP_URL"):
        env.forbidden(name, "the supervisor holds its own token only")
    env.forbidden_prefix("RAKAZO_UPDATER_", "the updater belongs to Compose installs of Rakazo's own")
    env.forbidden_suffix("_API_KEY", "the supervisor calls no provider and no model")
    data = env.required("DATA_DIR", "DATA_DIR=/data")
    if data and not data.startswith("/"):
        env.problem("DATA_DIR", f"is {data!r}, a relative path; write DATA_DIR=/data")
    image = env.required("RAKAZO_COMPUTER_IMAGE", "it to <image>@sha256:<digest>")
    if image and not PINNED.fullmatch(image):
        env.problem("RAKAZO_COMPUTER_IMAGE", f"is {image!r}; write <image>@sha256:<64 hexadecimal digits>")
    env.choice("SANDBOX_SCREEN_NETWORK", SCREEN_NETWORKS, "published")
    egress = env.optional("SANDBOX_COMPUTER_EGRESS")
    if egress not in EGRESS:
        env.problem("SANDBOX_COMPUTER_EGRESS", f"is {egress!r}; write restricted or open")
    settings = SupervisorSettings(
        token=env.secret("SANDBOX_SUPERVISOR_TOKEN"),
        host=env.optional("SUPERVISOR_HOST", "127.0.0.1"),
        port=env.port("SUPERVISOR_PORT", 7091),
        socket=env.optional("DOCKER_SOCKET", "/var/run/docker.sock"),
        data=PurePosixPath(data or "/data"),
        image=image,
        limits=read_limits(env),
        folders=read_mounts(env),
        egress="restricted" if egress == "restricted" else "open" if egress == "open" else "",
        container=env.required("HOSTNAME", "no hostname for this container: Docker's own says which container it is"),
    )
    env.finish()
    return settings
