"""What a computer is to its machine: nobody, with namespaces of its own and no way to Docker."""

from collections.abc import Iterator, Mapping
from typing import Any

from probes.claim import Claim, Evidence, Group
from probes.claims.identity import CAPABILITIES, CLOUD_VARIABLES, PLANTED, capabilities, cloud
from probes.docker.containers import PROJECT, SERVICE
from probes.docker.made import faults, groups_here, limits_of, other_limits, socket_mount
from probes.docker.scene import NAMES, DockerScene
from probes.docker.surroundings import BOTS
from probes.errand import BOT
from probes.vantage import Vantage

NAMESPACES = ("ipc", "mnt", "net", "pid", "uts")
OFTEN_SHARED = {
    "user": "root inside a computer, which nobody is, would be root outside",
    "cgroup": "as Docker has it with control groups of version 1; a computer sees the name of its own group",
}
"""What else there is, and what it means that a computer has the machine's."""
STATUS = ("Uid", "NoNewPrivs", "Seccomp", *CAPABILITIES)
FILTERED = "2"
"""Seccomp's mode in which a filter decides about each system call."""
SOCKET = "/var/run/docker.sock"
REMEDY = (
    "`docker inspect` on the machine shows what the container was started with. The supervisor's containers have "
    "their form from Rakazo's release: stop the one that is named in Rakazo, and ask who started it."
)


def claims() -> Iterator[Claim]:
    """Claims about identities and privileges."""
    yield Claim(
        id="identity-privileges",
        group=Group.IDENTITY,
        sentence="A computer's programs are not root, hold no capability and can gain none, and a filter decides "
        "about their system calls.",
        reason="With the machine's kernel under it, what a program may ask of that kernel is the isolation.",
        method="From inside a computer, of the process that looks: what the kernel says in /proc/self/status.",
        control="The same look at the machine's first process finds root and capabilities.",
        remedy="`docker info` on the machine must name the seccomp profile builtin, and /etc/docker/daemon.json must "
        "not set another one or seccomp-profile: unconfined. " + REMEDY,
        look=_privileges,
    )
    yield Claim(
        id="identity-namespaces",
        group=Group.IDENTITY,
        sentence=f"A computer shares no namespace with its machine: {', '.join(NAMESPACES)}.",
        reason="In a shared one it would see the machine's processes, files or network as its own.",
        method="The links in /proc/self/ns inside a computer, beside those of the machine's first process.",
        control="The machine's own processes have the same as its first one.",
        remedy=REMEDY,
        look=_namespaces,
    )
    yield Claim(
        id="identity-cloud",
        group=Group.IDENTITY,
        sentence="A computer's environment names no identity of a cloud and no kubeconfig.",
        reason="Clients of clouds use such variables without being asked to.",
        method="From inside a computer: the names of its variables; no value is looked at. Refused are "
        f"{', '.join(CLOUD_VARIABLES)}.",
        control=f"The same look with {' and '.join(PLANTED)} planted finds both.",
        remedy="They come from the image or from `proxies` in the Docker client's configuration of whoever starts it.",
        look=cloud,
    )
    yield Claim(
        id="identity-socket",
        group=Group.IDENTITY,
        sentence="The supervisor alone holds Docker's socket: no other service, no computer.",
        reason="Whoever may write to it is root on the machine.",
        method="Mounts of every container of the project and of every computer, as Docker has them: its socket, the "
        "one of containerd beneath it, the folders of both, and every folder above them; and inside a computer, "
        f"whether there is a {SOCKET}.",
        control="It is among the supervisor's mounts.",
        remedy="Take the mount away from the service that is named: `pulumi up --refresh` writes the project anew.",
        look=_socket,
    )
    yield Claim(
        id="identity-computers",
        group=Group.IDENTITY,
        sentence="Every computer on the machine was started as a computer: user, capabilities, limits, its own bot's "
        "home, the settings' folders of the machine and no others, and a network under the rules.",
        reason="What is proven of the probe's own computer says nothing about one that was started otherwise.",
        method="Every container whose name begins with "
        f"{BOTS} and that runs before and after the look, as Docker has it. Its limits may be those of earlier "
        "settings, which it keeps until it ends; claim application-computer makes one now, and looks at that one.",
        control="The probe's own container on a network that no rule knows is found to be no computer in the same way.",
        remedy=REMEDY,
        look=_computers,
    )


def _privileges(scene: DockerScene) -> Iterator[Evidence]:
    inside = scene.execute(Vantage.COMPUTER, ["cat", "/proc/self/status"]).output
    machine = scene.execute(Vantage.MACHINE, ["cat", "/proc/1/status"]).output
    yield capabilities(_as_capabilities(inside))
    yield unprivileged(status(inside), status(machine))


def _as_capabilities(text: str) -> str:
    return "\n".join(f"{key} {value}" for key, value in status(text).items())


def status(text: str) -> dict[str, str]:
    """Return the first value of each line of a process' status that the claim is about."""
    found = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key in STATUS and value.split():
            found[key] = value.split()[0]
    return found


def unprivileged(inside: Mapping[str, str], machine: Mapping[str, str]) -> Evidence:
    """Return whether a process is nobody, stays so, and is filtered; `machine` is what root looks like."""
    wrong = []
    if inside.get("Uid") == "0":
        wrong.append("it is root")
    if inside.get("NoNewPrivs") != "1":
        wrong.append("it can gain privileges: no-new-privileges is not set")
    if inside.get("Seccomp") != FILTERED:
        wrong.append(f"no filter decides about its system calls (Seccomp {inside.get('Seccomp', 'unknown')})")
    sees = machine.get("Uid") == "0" and int(machine.get("CapEff", "0"), 16) != 0
    return Evidence(
        subject="a computer's process",
        seen="; ".join(wrong) or f"user {inside['Uid']}, no new privileges, system calls filtered",
        control=f"the machine's first process: {'root, with capabilities' if sees else 'not seen as root'}",
        holds=False if wrong else (True if sees else None),
    )


def _namespaces(scene: DockerScene) -> Iterator[Evidence]:
    names = (*NAMESPACES, *OFTEN_SHARED)
    line = "for name in " + " ".join(names) + '; do echo "$name $(readlink /proc/$0/ns/$name)"; done'
    inside = _links(scene.execute(Vantage.COMPUTER, ["bash", "-c", line, "self"]).output)
    first = _links(scene.execute(Vantage.MACHINE, ["bash", "-c", line, "1"]).output)
    own = _links(scene.execute(Vantage.MACHINE, ["bash", "-c", line, "self"]).output)
    sees = all(own.get(name) == first.get(name) for name in NAMESPACES)
    for name in NAMESPACES:
        there = inside.get(name) and first.get(name)
        shared = inside.get(name) == first.get(name)
        yield Evidence(
            subject=f"namespace {name}",
            seen=("the machine's" if shared else "its own") if there else "not known",
            control=f"the machine's own processes {'share' if sees else 'do not share'} the first one's",
            holds=None if not there else (False if shared else (True if sees else None)),
        )
    for name, meaning in OFTEN_SHARED.items():
        if inside.get(name) == first.get(name):
            yield Evidence(subject=f"namespace {name}", seen=f"the machine's: {meaning}", holds=None)


def _links(output: str) -> dict[str, str]:
    return {line.split()[0]: line.split()[1] for line in output.splitlines() if len(line.split()) == 2}  # noqa: PLR2004


def _socket(scene: DockerScene) -> Iterator[Evidence]:
    docker = scene.containers
    names = docker.names(f"label={PROJECT}={scene.facts.application}") + docker.names(f"name=^{BOTS}")
    found = docker.inspect(*dict.fromkeys(names))
    holders = {who(each): path for each in found if (path := socket_mount(each))}
    control = f"supervisor: {holders.get('supervisor', 'no socket among its mounts')}"
    works = "supervisor" in holders
    for name in sorted({who(each) for each in found} - {"supervisor"}):
        path = holders.get(name)
        seen = f"mounts {path}" if path else "no way to it"
        yield Evidence(subject=name, seen=seen, control=control, holds=False if path else (True if works else None))
    ran = scene.execute(Vantage.COMPUTER, ["bash", "-c", f"test ! -e {SOCKET} && test ! -e /run/docker.sock"])
    there = ran.exit_code != 0
    yield Evidence(
        subject="inside a computer",
        seen=f"there is a {SOCKET}" if there else f"no {SOCKET}",
        control=control,
        holds=not there if works else None,
    )


def who(container: Mapping[str, Any]) -> str:
    """Return the service that a container runs, or its own name."""
    labels = container["Config"]["Labels"] or {}
    return str(labels.get(SERVICE) or container["Name"].removeprefix("/"))


def _computers(scene: DockerScene) -> Iterator[Evidence]:
    docker, facts = scene.containers, scene.facts
    found = _running(scene)
    networks = {each["Name"]: each for each in docker.inspect(*docker.networks("driver=bridge"), kind="network")}
    still = {each["Id"] for each in _running(scene)}  # the network of one that has ended meanwhile may be gone, too
    groups = groups_here(docker)
    strangers = docker.inspect(NAMES[Vantage.STRANGER])
    control = "; ".join(fault for each in strangers for fault in faults(each, networks, facts, groups=groups))
    told = False
    for each in found:
        name, wrong = each["Name"].removeprefix("/"), faults(each, networks, facts, groups=groups)
        # The errand's own comes and goes, and its claim looks at it; nobody else may hide behind its name.
        if each["Id"] not in still or (name == f"{BOTS}{BOT}" and not wrong):
            continue
        told = True
        older = "; ".join(other_limits(limits_of(each["HostConfig"]), facts))
        good = f"as a computer, with the limits of earlier settings ({older})" if older else "as the settings say"
        yield Evidence(
            subject=name,
            seen="; ".join(wrong) or good,
            control=f"{Vantage.STRANGER}: {control or 'nothing is found wrong with it'}",
            holds=False if wrong else (True if control else None),
        )
    if not told:
        yield Evidence(subject="computers of Rakazo's", seen="none runs now", holds=None)


def _running(scene: DockerScene) -> list[dict[str, Any]]:
    found = scene.containers.inspect(*scene.containers.names(f"name=^{BOTS}"))
    return [each for each in found if each["State"]["Running"]]
