"""Invented facts of a stack with Docker computers, and what a machine of it says of itself."""

from typing import Any

from components.rakazo.docker_services import DOCKER_SERVICES
from components.rakazo.ranges import not_public
from components.rakazo.service_facts import service_facts
from probes.docker.facts import DockerFacts, MountFacts
from probes.docker.surroundings import Around
from probes.vantage import Vantage

HANDBOOK = MountFacts(source="/srv/handbook", target="/mnt/handbook", read_only=True)


def facts(**changes: Any) -> DockerFacts:
    """Return facts with changes."""
    told: dict[str, Any] = {
        "machine": "rakazo-1",
        "address": "203.0.113.9",
        "host_key": "ssh-ed25519 AAAA",
        "ssh_user": "root",
        "ssh_port": 22,
        "application": "rakazo",
        "denied_ranges": tuple(not_public()),
        "neighbours": ("10.0.0.5:443",),
        "image_app": f"registry.test/app@sha256:{'a' * 64}",
        "image_computer": f"registry.test/computer@sha256:{'c' * 64}",
        "image_postgres": f"registry.test/postgres@sha256:{'b' * 64}",
        "last_screen_port": 6199,
        "maximum": 4,
        "cpu": "2",
        "memory": "2Gi",
        "pids": 2048,
        "mounts": (HANDBOOK,),
        "web": "127.0.0.1:5173",
        "secrets_folder": "/etc/rakazo-infra/secrets",
        "application_services": tuple(service_facts(each) for each in DOCKER_SERVICES if each.name != "migrate"),
    }
    return DockerFacts(**(told | changes))


def around(**changes: Any) -> Around:
    """Return invented addresses of everything that a machine knows."""
    told: dict[str, Any] = {
        "machine": ("203.0.113.9", "172.17.0.1"),
        "listeners": (22, 443),
        "resolvers": ("192.168.1.1",),
        "names": {name: f"rakazo-{name}-1" for name in ("postgres", "supervisor", "api", "worker", "web")},
        "containers": {name: (f"rakazo-{name}-1",) for name in ("postgres", "supervisor", "api", "worker", "web")},
        "services": {
            "postgres": ("10.189.2.2",),
            "supervisor": ("10.189.0.14",),
            "api": ("10.189.1.3", "10.189.2.3"),
            "worker": ("10.189.2.4",),
            "web": ("10.189.1.2",),
        },
        "versions": ("28.5.2", "1.3.0"),
        "cast": {
            Vantage.COMPUTER: ("10.189.10.2",),
            Vantage.NEIGHBOUR: ("10.189.11.2",),
            Vantage.STRANGER: ("10.189.12.2",),
            Vantage.LISTENER: ("10.189.12.3",),
        },
        "gateways": ("10.189.10.1",),
    }
    return Around(**(told | changes))


def own_home(folder: str) -> dict[str, Any]:
    """Return the mount of a folder of Rakazo's data as a home, as it was asked for."""
    part = {"NoCopy": True, "Subpath": folder}
    return {"Type": "volume", "Source": "rakazo-data", "Target": "/home/rakazo", "VolumeOptions": part}


def container(**changes: Any) -> dict[str, Any]:
    """Return a computer as Docker has it; `HostConfig__Privileged=True` changes a key."""
    told: dict[str, Any] = {
        "Id": "1",
        "Name": "/rakazo-bot-anna",
        "Image": "sha256:1",
        "Config": {"User": "1000:1000", "Labels": {"rakazo.managed": "true", "rakazo.botId": "anna"}, "Env": []},
        "State": {"Running": True},
        "HostConfig": {
            "Privileged": False,
            "CapDrop": ["ALL"],
            "CapAdd": None,
            "SecurityOpt": ["no-new-privileges:true"],
            "MaskedPaths": ["/proc/acpi", "/proc/kcore", "/proc/keys", "/sys/firmware"],
            "ReadonlyPaths": ["/usr/share/novnc"],
            "CgroupnsMode": "private",
            "Binds": None,
            "Mounts": [own_home("homes/anna")],
            "Memory": 2 << 30,
            "MemorySwap": 2 << 30,
            "NanoCpus": 2_000_000_000,
            "PidsLimit": 2048,
            "PidMode": "",
            "IpcMode": "private",
            "NetworkMode": "rakazo-computer-anna",
            "Devices": [],
            "Runtime": "runc",
            "PortBindings": {},
        },
        "Mounts": [
            {
                "Type": "volume",
                "Name": "rakazo-data",
                "Source": "/var/lib/docker/volumes/rakazo-data/_data",  # Docker names the whole
                "Destination": "/home/rakazo",
                "RW": True,
            },
            {"Type": "bind", "Source": "/srv/handbook", "Destination": "/mnt/handbook", "RW": False},
        ],
        "NetworkSettings": {"Networks": {"rakazo-computer-anna": {"IPAddress": "10.189.20.2"}}, "Ports": {}},
    }
    for path, value in changes.items():
        *parents, last = path.split("__")
        section = told
        for parent in parents:
            section = section[parent]
        section[last] = value
    return told


NETWORKS: dict[str, dict[str, Any]] = {
    "rakazo-computer-anna": {"Options": {"com.docker.network.bridge.name": "rakazo-c0123456"}},
    "bridge": {"Options": {"com.docker.network.bridge.name": "docker0"}},
    "somebody": {"Options": {}},
}
