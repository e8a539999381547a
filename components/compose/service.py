"""A service of the table as Compose has it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from components.compose.environment import render_plain, secret_files
from components.compose.health import render_health
from components.compose.networks import networks_of
from components.kubernetes import names
from components.service import Scratch, Service, Settings

SOCKET = "/var/run/docker.sock"
LOGGING = {"driver": "local", "options": {"max-size": "10m", "max-file": "3"}}
"""Also where Docker was there before and says nothing about logs: an endless one fills the disk."""
ONCE = "migrate"
"""The one service that ends."""


@dataclass(frozen=True, kw_only=True)
class ComposeArgs:
    """What a project is rendered from beside the table."""

    app: str
    postgres: str
    """Images by digest."""
    settings: Settings
    address_pool: str
    supervisor_address: str


def render_service(service: Service, args: ComposeArgs, healthy: Collection[str]) -> dict[str, Any]:
    """Render one service; `healthy` names those that can be asked whether they are well."""
    memory = f"{service.limits.memory_mib}m"
    health = render_health(service, args.supervisor_address if service.uses_docker else "127.0.0.1")
    rendered: dict[str, Any] = {
        "image": args.postgres if service.image == "postgres" else args.app,
        # In the place of the image's own entry point: Kubernetes' `command` is the same.
        "entrypoint": list(service.command) or None,
        "working_dir": service.working_directory,
        "user": f"{service.user}:{service.user}",
        "environment": render_plain(service, args.settings),
        "env_file": [{"path": path, "format": "raw"} for path in secret_files(service)],
        "read_only": True,
        "tmpfs": [_scratch(scratch, service) for scratch in service.scratch],
        "volumes": _volumes(service) or None,
        "cap_drop": ["ALL"],
        "cap_add": list(service.capabilities) or None,
        "security_opt": ["no-new-privileges:true"],
        "cpus": service.limits.cpu_millis / 1000,
        "mem_limit": memory,
        "memswap_limit": memory,
        "pids_limit": service.pids,
        "networks": {name: _place(service, name, args) for name in networks_of(service.name)},
        "depends_on": {name: {"condition": _condition(name, healthy)} for name in service.after} or None,
        "healthcheck": health,
        "restart": "no" if service.name == ONCE else "unless-stopped",
        "stop_grace_period": f"{service.grace_seconds}s",
        "logging": LOGGING,
    }
    return {key: value for key, value in rendered.items() if value is not None}


def _scratch(scratch: Scratch, service: Service) -> str:
    """Return a folder in memory. It counts as the service's own, so it may take half of that and no more."""
    size = min(scratch.mib, service.limits.memory_mib // 2)
    return f"{scratch.path}:size={size}m,mode=0700,uid={service.user},gid={service.user}"


def _volumes(service: Service) -> list[dict[str, Any]]:
    volumes: list[dict[str, Any]] = []
    if service.volume is not None:
        volumes.append({"type": "volume", "source": service.volume.name, "target": service.volume.path})
    if service.uses_docker:
        volumes.append({"type": "bind", "source": SOCKET, "target": SOCKET})
    return volumes


def _place(service: Service, network: str, args: ComposeArgs) -> dict[str, Any]:
    """Return a service's names on a network: its own, and the one that it has in a cluster."""
    place: dict[str, Any] = {"aliases": [names.service_object(service.name)]}
    if service.uses_docker and network == "supervisor":
        place["ipv4_address"] = args.supervisor_address
    return place


def _condition(name: str, healthy: Collection[str]) -> str:
    if name == ONCE:
        return "service_completed_successfully"
    return "service_healthy" if name in healthy else "service_started"
