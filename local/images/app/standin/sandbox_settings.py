"""Where and how computers are made: what api and worker read of it, the same in both."""

from dataclasses import dataclass

from .environment import Environment

OTHER_PROVIDERS = ("e2b", "daytona", "box", "desktop", "fake")
LONGEST_COMMAND_MS = 3_600_000


@dataclass(frozen=True)
class KubernetesSandbox:
    """Computers are pods that api and worker make themselves."""

    namespace: str
    image: str
    runtime_class: str | None
    cpu_limit: str | None
    memory_limit: str | None
    command_timeout: float
    """Seconds; one hour at most."""
    most: int = 0
    """Computers that may run at once; 0 is no limit. The stand-in has a single space."""


@dataclass(frozen=True)
class DockerSandbox:
    """Computers are containers that a supervisor makes; nobody else touches Docker."""

    url: str
    token: str
    command_timeout: float
    """Seconds; one hour at most."""
    most: int = 0
    """Computers that may run at once; 0 is no limit. The stand-in has a single space."""


Sandbox = KubernetesSandbox | DockerSandbox


def read_sandbox(env: Environment) -> Sandbox:
    """Read what SANDBOX_PROVIDER needs, and refuse what belongs to the other one."""
    provider = env.optional("SANDBOX_PROVIDER")
    if not provider:
        env.problem("SANDBOX_PROVIDER", "is not set; write SANDBOX_PROVIDER=kubernetes or SANDBOX_PROVIDER=docker")
    elif provider in OTHER_PROVIDERS:
        env.problem("SANDBOX_PROVIDER", f"is {provider!r}; the stand-in plays kubernetes and docker only")
    elif provider not in {"kubernetes", "docker"}:
        env.problem("SANDBOX_PROVIDER", f"is unknown: {provider!r} (Unknown SANDBOX_PROVIDER)")
    command_ms = env.number("SANDBOX_COMMAND_TIMEOUT_MS", 300_000)
    env.number("SANDBOX_MAX_COMPUTERS_PER_USER", 0)
    most = env.number("SANDBOX_MAX_COMPUTERS_PER_SPACE", 0)
    timeout = min(command_ms, LONGEST_COMMAND_MS) / 1000
    return _docker(env, timeout, most) if provider == "docker" else _kubernetes(env, timeout, most)


def _kubernetes(env: Environment, timeout: float, most: int) -> KubernetesSandbox:
    env.forbidden_prefix("SANDBOX_SUPERVISOR_", "it belongs to SANDBOX_PROVIDER=docker")
    return KubernetesSandbox(
        namespace=env.optional("KUBERNETES_SANDBOX_NAMESPACE", "rakazo-sandboxes"),
        image=env.required("KUBERNETES_SANDBOX_COMPUTER_IMAGE", "it to <image>@sha256:<digest>"),
        runtime_class=env.optional("KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME") or None,
        cpu_limit=env.quantity("KUBERNETES_SANDBOX_CPU_LIMIT"),
        memory_limit=env.quantity("KUBERNETES_SANDBOX_MEMORY_LIMIT"),
        command_timeout=timeout,
        most=most,
    )


def _docker(env: Environment, timeout: float, most: int) -> DockerSandbox:
    env.forbidden_prefix("KUBERNETES_SANDBOX_", "it belongs to SANDBOX_PROVIDER=kubernetes")
    for name in ("DOCKER_HOST", "DOCKER_SOCKET"):
        env.forbidden(name, "only the supervisor speaks to Docker")
    return DockerSandbox(
        url=env.origin("SANDBOX_SUPERVISOR_URL", "http://127.0.0.1:7091"),
        token=env.secret("SANDBOX_SUPERVISOR_TOKEN"),
        command_timeout=timeout,
        most=most,
    )
