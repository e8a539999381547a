"""The container of a computer: exactly what Rakazo's supervisor makes, and the names of it and its network."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from .container_limits import Limits
from .desktop import HOME, PREFIX, USER

OWNER = f"{USER}:{USER}"
SHARED_MEMORY = 256 << 20
"""Bytes; Chromium uses /dev/shm."""
READ_ONLY_OF_DOCKER = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
"""What Docker makes read-only in every container that says nothing of its own; a list of one's own replaces these."""
READ_ONLY = ("/usr/share/novnc", "/etc/rakazo")
"""noVNC and the desktop's configuration; an image without one of them is fine."""
LONGEST_ID = 40
LONGEST_IN_NETWORK = 32
BRIDGE_PREFIX = "rakazo-c"
"""Of the bridges' names; the machine's firewall knows computers by it."""
BRIDGE_DIGITS = 7
BRIDGE_OPTION = "com.docker.network.bridge.name"
MANAGED = "rakazo.managed=true"


def container_name(bot: str) -> str:
    """Return a computer's name; what a name may not have is left out."""
    return PREFIX + (_plain(bot)[:LONGEST_ID] or "box")


def network_name(bot: str) -> str:
    """Return the name of a computer's own network; two bots have two, whatever is left out of their names."""
    return f"rakazo-computer-{_plain(bot)[:LONGEST_IN_NETWORK]}-{_digest(bot)[:32]}"


def bridge_name(bot: str) -> str:
    """Return what the machine calls the bridge of that network; a link's name has 15 characters at most."""
    return BRIDGE_PREFIX + _digest(bot)[:BRIDGE_DIGITS]


def labels(bot: str, space: str) -> dict[str, str]:
    """Return what tells whose computer a container is."""
    return {"rakazo.managed": "true", "rakazo.botId": bot, "rakazo.spaceId": space}


def options(
    *, bot: str, space: str, image: str, network: str, limits: Limits, mounts: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return what a computer is created with. It publishes no port and is started by the supervisor alone."""
    return {
        "Image": image,
        "User": OWNER,
        "Tty": True,
        "Env": environment(),
        "Labels": labels(bot, space),
        "WorkingDir": HOME,
        "HostConfig": {
            **confinement(network),
            **limits.host_config(),
            "Mounts": list(mounts),
            "ShmSize": SHARED_MEMORY,
            "ReadonlyPaths": [*READ_ONLY_OF_DOCKER, *READ_ONLY],
        },
    }


def confinement(network: str) -> dict[str, Any]:
    """Return what every container that runs a computer's image is held by."""
    return {
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true"],
        "NetworkMode": network,
        "AutoRemove": False,
    }


def environment() -> list[str]:
    """Return what a computer and the commands in it are told."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return [
        "DISPLAY=:1",
        f"HOME={HOME}",
        f"PATH={HOME}/.local/bin:{path}",
        f"NPM_CONFIG_PREFIX={HOME}/.local",
        "PIP_USER=1",
    ]


def _plain(bot: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_.-]", "", bot)


def _digest(bot: str) -> str:
    return hashlib.sha256(bot.encode()).hexdigest()
