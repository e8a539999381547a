"""What a service of Rakazo is, in plain data: Kubernetes objects are rendered from it, and Compose can be."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal


class Setting(Enum):
    """A fact of the stack that a variable takes its value from."""

    ORIGIN = "origin"
    """Scheme, host and port that people use, without a trailing slash."""
    HOST = "host"
    """The bare host of the origin."""
    API_URL = "api_url"
    """Where web finds api inside."""
    COMPUTERS_NAMESPACE = "computers_namespace"
    COMPUTER_IMAGE = "computer_image"
    RUNTIME_CLASS = "runtime_class"
    CPU_LIMIT = "cpu_limit"
    """Unset when computers book less than their limits: written limits would become requests."""
    MEMORY_LIMIT = "memory_limit"
    PIDS_LIMIT = "pids_limit"
    COMPUTER_MOUNTS = "computer_mounts"
    """Folders of the machine that computers see, as the supervisor reads them."""
    SUPERVISOR_ADDRESS = "supervisor_address"
    """The one address on which the supervisor listens, on a network without computers."""
    MOST_COMPUTERS = "most_computers"
    AGENT_RUNTIME = "agent_runtime"
    SIGNUPS_ENABLED = "signups_enabled"
    SIGNUP_ALLOWLIST = "signup_allowlist"


Settings = Mapping[Setting, str | None]
"""Values of all settings; None leaves the variable out."""


class SecretValue(Enum):
    """A secret of the stack, or one made of them, that a variable takes its value from."""

    DATABASE_URL = "database_url"
    """Login of api and worker."""
    MIGRATION_URL = "migration_url"
    """Login of the owner, who alone changes the schema."""
    ENCRYPTION_KEY = "encryption_key"
    BETTER_AUTH_SECRET = "better_auth_secret"  # noqa: S105 - the name of a secret
    SCREEN_PROXY_SECRET = "screen_proxy_secret"  # noqa: S105 - the name of a secret
    OWNER_PASSWORD = "owner_password"  # noqa: S105 - the name of a secret
    APP_PASSWORD = "app_password"  # noqa: S105 - the name of a secret
    SUPERVISOR_TOKEN = "supervisor_token"  # noqa: S105 - the name of a secret
    OPENROUTER_API_KEY = "openrouter_api_key"
    ANTHROPIC_API_KEY = "anthropic_api_key"


KEPT = frozenset({SecretValue.ENCRYPTION_KEY})
"""Secrets that never change once they exist, whatever the stack says later: what they encrypted would be lost."""

Source = str | Setting | SecretValue
"""Where a variable's value comes from: text is taken as it is."""


@dataclass(frozen=True, kw_only=True)
class HttpProbe:
    """A GET that must be answered below 400."""

    path: str
    port: int
    period_seconds: int
    failures: int
    """In a row, until the probe has failed."""


@dataclass(frozen=True, kw_only=True)
class TcpProbe:
    """A connection that must be accepted."""

    port: int
    period_seconds: int
    failures: int


@dataclass(frozen=True, kw_only=True)
class CommandProbe:
    """A program inside the container that must exit 0."""

    command: tuple[str, ...]
    period_seconds: int
    failures: int


Probe = HttpProbe | TcpProbe | CommandProbe


@dataclass(frozen=True, kw_only=True)
class Size:
    """What one replica uses: thousandths of a core, and MiB."""

    cpu_millis: int
    memory_mib: int
    disk_mib: int
    """Writable folders and logs on the node's disk."""


@dataclass(frozen=True, kw_only=True)
class Scratch:
    """A folder that is writable and lost with the pod."""

    path: str
    mib: int
    """The pod is stopped when it grows beyond this."""


@dataclass(frozen=True, kw_only=True)
class Volume:
    """A folder that outlives the pod."""

    name: str
    path: str


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A TCP port of another service."""

    host: str
    port: int


@dataclass(frozen=True, kw_only=True)
class Service:
    """One service: everything about it that does not depend on where it runs."""

    name: str
    image: Literal["app", "postgres"]
    command: tuple[str, ...] = ()
    """In exec form; empty means the image's own."""
    working_directory: str | None = None
    port: int | None = None
    user: int
    """uid and gid."""
    variables: Mapping[str, Source]
    forbidden: frozenset[str]
    """Variables that the service refuses to start with, or must not know."""
    requests: Size
    limits: Size
    startup: Probe | None = None
    readiness: Probe | None = None
    liveness: Probe | None = None
    scratch: tuple[Scratch, ...] = ()
    volume: Volume | None = None
    awaits: Endpoint | None = None
    """Must accept a connection before the service starts. For one that ends when it cannot connect at once: a policy
    lets a new pod through some moments after its first instruction."""
    uses_kubernetes: bool = False
    """Whether it talks to the Kubernetes API, and gets a token for it."""
    uses_docker: bool = False
    """Whether it holds Docker's socket, with which it commands the machine."""
    capabilities: tuple[str, ...] = ()
    """What is left of root's rights; a service that is not root has none."""
    pids: int = 256
    """Processes and threads that it may have, where somebody counts them."""
    grace_seconds: int
    """From SIGTERM to SIGKILL."""
    replicas: int = 1
    after: tuple[str, ...] = ()
    """Services that run, or have run to their end, before this one starts."""

    def secrets(self) -> dict[str, SecretValue]:
        """Return the secret variables and where each comes from."""
        return {name: source for name, source in self.variables.items() if isinstance(source, SecretValue)}
