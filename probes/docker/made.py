"""What a computer was started with, as Docker has it, beside what the settings and Rakazo promise."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from probes.docker import cast
from probes.docker.containers import BRIDGE, Containers
from probes.docker.facts import DockerFacts
from probes.docker.scene import NAMES
from probes.docker.surroundings import COMPUTERS
from probes.vantage import Vantage

COMMANDS = (
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/var/run/containerd/containerd.sock",
    "/var/lib/docker",
    "/var/lib/containerd",
)
"""Who has one of these is root on the machine: the sockets take commands, and the folders are every container."""
ALONE = ("", "private", "shareable")
"""Modes of a namespace of which nobody else is a part unless he asks for it; the last is Docker's default for ipc."""
SEALED = {"no-new-privileges", "no-new-privileges:true", "no-new-privileges=true"}
"""Ways to write that a process may gain nothing."""
ORDINARY = SEALED | {"seccomp=builtin", "seccomp:builtin", "apparmor=docker-default", "apparmor:docker-default"}
"""Options of security under which Docker confines a container as it does without any."""
HIDDEN = {"/proc/kcore", "/proc/keys", "/sys/firmware"}
"""Of the kernel's own files those that Docker has hidden for longest; systempaths=unconfined becomes an empty list."""
HOME = "/home/rakazo"
"""Where a computer's own home is mounted, which the supervisor keeps with Rakazo's data as homes/<bot>."""
BOT = "rakazo.botId"
"""Label of a computer that says whose it is."""

Container = Mapping[str, Any]


def socket_mount(container: Container) -> str | None:
    """Return the mount through which a container commands Docker, or None: one of COMMANDS, or a folder above it."""
    for mount in container.get("Mounts") or []:
        source = str(mount.get("Source") or "")
        if source and any(PurePosixPath(each).is_relative_to(source) for each in COMMANDS):
            return source
    return None


def faults(
    container: Container,
    networks: Mapping[str, Container],
    facts: DockerFacts,
    *,
    groups: str = "private",
    is_new: bool = False,
) -> list[str]:
    """Return what is wrong with how a computer was started; `networks` are those of the machine, by name.

    `groups` is whose control groups a container of this machine sees when nobody says so. A computer that is not new
    may have the limits of earlier settings: the supervisor keeps it as it is until it ends.
    """
    given = limits_of(container["HostConfig"])
    wrong = (
        other_limits(given, facts)
        if is_new
        else [f"{name} is without limit" for name, text in given.items() if not text]
    )
    return [
        *_privileges(container),
        *_apart(container["HostConfig"], groups),
        *wrong,
        *_mounts(container, facts),
        *_networks(container, networks),
    ]


def _privileges(container: Container) -> Iterator[str]:
    host = container["HostConfig"]
    if str(container["Config"].get("User") or "0").partition(":")[0] in ("0", "root"):
        yield "it runs as root"
    if host.get("Privileged"):
        yield "it is privileged"
    if [str(each).upper() for each in host.get("CapDrop") or []] != ["ALL"]:
        yield "not all capabilities are dropped"
    if host.get("CapAdd"):
        yield f"capabilities are added: {', '.join(host['CapAdd'])}"
    options = [str(each) for each in host.get("SecurityOpt") or []]
    if not SEALED & set(options):
        yield "it can gain privileges: no-new-privileges is not set"
    # A profile of somebody's own is in the option itself, and as long as a page.
    yield from (f"it is not confined as Docker does it: {each[:40]}" for each in options if each not in ORDINARY)
    hidden = host.get("MaskedPaths")
    if hidden is not None and not HIDDEN.issubset(hidden):
        yield "the kernel's own files are not hidden from it, as with systempaths=unconfined"


def groups_here(containers: Containers) -> str:
    """Return whose control groups a container of this machine sees when nobody says so, as the probe's own computer.

    `private`, or `host` where they are of version 1, or the daemon was told so.
    """
    own = containers.inspect(NAMES[Vantage.COMPUTER])
    return str(next((each["HostConfig"].get("CgroupnsMode") for each in own), None) or "private")


def _apart(host: Container, groups: str) -> Iterator[str]:
    for kind in ("PidMode", "IpcMode", "UTSMode", "UsernsMode"):
        if host.get(kind) not in (*ALONE, None):
            yield f"{kind} is {host[kind]}"
    if host.get("CgroupnsMode") not in (*ALONE, groups, None):
        yield f"CgroupnsMode is {host['CgroupnsMode']}"
    if host.get("Devices") or host.get("DeviceRequests"):
        yield "it has devices of the machine"
    if host.get("Runtime") not in ("", "runc", "io.containerd.runc.v2", None):
        yield f"its runtime is {host['Runtime']}, and the settings say runc"


def limits_of(host: Container) -> dict[str, int]:
    """Return the limits that a container has, each in the unit of `cast.Limits`; 0 where it has none."""
    return {
        "memory": host.get("Memory") or 0,
        "memory with swap": max(0, host.get("MemorySwap") or 0),
        "cpu": (host.get("NanoCpus") or 0) // 1_000_000,
        "number of processes": max(0, host.get("PidsLimit") or 0),
    }


def other_limits(given: Mapping[str, int], facts: DockerFacts) -> list[str]:
    """Return each limit that is not the one of the settings."""
    own = cast.limits(facts)
    wanted = {
        "memory": own.memory,
        "memory with swap": own.memory,
        "cpu": own.cpu_millis,
        "number of processes": own.pids,
    }
    units = {"memory": " bytes", "memory with swap": " bytes", "cpu": " thousandths of a core"}
    return [
        f"{name} is {given[name] or 'without limit'}, and must be {value}{units.get(name, '')}"
        for name, value in wanted.items()
        if given[name] != value
    ]


def _mounts(container: Container, facts: DockerFacts) -> Iterator[str]:
    allowed = {(each.source, each.target): each.read_only for each in facts.mounts}
    for mount in container.get("Mounts") or []:
        source, target = str(mount.get("Source") or ""), str(mount.get("Destination") or "")
        written = allowed.get((source, target))
        if written is not None:
            if written and mount.get("RW", True):
                yield f"{source} can be written, and the settings say read_only"
        elif target != HOME:
            yield f"{source or mount.get('Type')} is mounted at {target}, and the settings name no such folder"
        elif not _own_home(container, mount):
            yield f"its home is not homes/<its bot> of Rakazo's data: {_folder(container, mount)} is mounted at {HOME}"
    if socket_mount(container):
        yield f"it reaches Docker's socket through {socket_mount(container)}"


def _own_home(container: Container, mount: Container) -> bool:
    """Whether what is mounted as a computer's home is the one of its own bot, and not all of them or another's."""
    bot = str((container["Config"].get("Labels") or {}).get(BOT) or "")
    if bot in ("", ".", "..") or "/" in bot:
        return False
    parts = PurePosixPath(_folder(container, mount)).parts
    return (parts[1:] if mount.get("Type") == "volume" else parts[-2:]) == ("homes", bot)


def _folder(container: Container, mount: Container) -> str:
    """Return what is mounted as a home: a folder of the machine, or the name of a volume and the folder in it.

    Docker's list of mounts has a volume as a whole, whatever was asked for; who asked by HostConfig.Binds has it whole.
    """
    if mount.get("Type") != "volume":
        return str(mount.get("Source") or "")
    asked = [each for each in container["HostConfig"].get("Mounts") or [] if each.get("Target") == HOME]
    folders = [str((each.get("VolumeOptions") or {}).get("Subpath") or "") for each in asked]
    return "/".join([str(mount.get("Name") or "a volume"), *(each for each in folders if each)])


def _networks(container: Container, networks: Mapping[str, Container]) -> Iterator[str]:
    joined = container["NetworkSettings"].get("Networks") or {}
    if container["HostConfig"].get("NetworkMode") == "host":
        yield "it shares the machine's network"
        return
    if not joined:
        yield "it is on no network"
    for name in joined:
        bridge = str(((networks.get(name) or {}).get("Options") or {}).get(BRIDGE, ""))
        if not bridge.startswith(COMPUTERS):
            yield f"its network {name} has the bridge {bridge or 'that Docker named'}, of which the rules know nothing"
