"""What one computer may use: what the supervisor was told, and what a greedy computer feels of it."""

import dataclasses
import time
from collections.abc import Iterator, Mapping

from probes import cast as programs
from probes import greed
from probes.claim import Claim, Evidence, Group
from probes.docker import cast
from probes.docker.containers import ContainerError
from probes.docker.environment import environment
from probes.docker.facts import DockerFacts
from probes.docker.scene import DockerScene
from probes.greed import GO, MIB
from probes.prober import ProbeError
from probes.vantage import Vantage

SMALL_MEMORY, SMALL_CPU_MILLIS, SMALL_PIDS = 256 * MIB, 200, 300
"""Own limits of the greedy computers: they end sooner and take less from the machine."""
STEP_MIB = 32
CPU_SECONDS = 1.0
STOP_SECONDS = 90.0
KILLED = 137
"""128 and the number of SIGKILL."""
UNITS = {"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
TOLD = {"RAKAZO_COMPUTER_MEMORY": "memory", "RAKAZO_COMPUTER_CPUS": "cpu", "RAKAZO_COMPUTER_PIDS_LIMIT": "pids"}
"""Variables of the supervisor, and the key of settings.computers that each comes from."""
REASON = "One computer must not be able to take the machine, and with it Rakazo and everybody else's computers."


def claims(facts: DockerFacts) -> Iterator[Claim]:
    """Claims about limits."""
    yield Claim(
        id="limits-default",
        group=Group.LIMITS,
        sentence=f"The supervisor gives each computer {facts.cpu} cores, {facts.memory} of memory without swap, and "
        f"{facts.pids} processes.",
        reason="A variable that is missing means Rakazo's own figure, and `0` or `none` means no limit at all.",
        method=f"Variables of its container: {', '.join(TOLD)}. What its computers have, claim identity-computers "
        "and application-computer tell.",
        control="None: it is what is written.",
        remedy="`pulumi up --refresh` writes the project anew with the figures of settings.computers.",
        look=_default,
    )
    yield Claim(
        id="limits-memory",
        group=Group.LIMITS,
        sentence="A computer that takes memory without end is stopped at its limit, and its neighbour lives.",
        reason=REASON,
        method="A computer of the probe's own with a small limit takes memory until the kernel ends it.",
        control="Until the limit it got what it took.",
        remedy="`docker info` on the machine must not warn of missing support for memory or swap limits; then look at "
        "the container's cgroup: memory.max must not be `max`, and memory.swap.max must be 0.",
        look=_memory,
    )
    yield Claim(
        id="limits-cpu",
        group=Group.LIMITS,
        sentence="A busy computer gets no more processor time than its limit.",
        reason=REASON,
        method="Busy processes, one more than the limit has cores, add up the time for which a processor was theirs: "
        "in a computer and in a container without limits, one after the other.",
        control="The container without limits gets more; where the machine has no more, nothing can be felt.",
        remedy="`docker info` on the machine must not warn of missing support for cpu limits; then look at cpu.max of "
        "the container's cgroup.",
        look=_cpu,
        alone=True,
    )
    yield Claim(
        id="limits-processes",
        group=Group.LIMITS,
        sentence="A computer that starts processes without end is refused at its limit.",
        reason="The machine has a fixed number of processes for everybody.",
        method=f"A computer of the probe's own with a limit of {SMALL_PIDS} starts as many tasks as it can.",
        control="It starts more than half as many as its limit.",
        remedy="`docker info` on the machine must not warn of missing support for pids limits.",
        look=_processes,
    )
    yield Claim(
        id="limits-disk",
        group=Group.LIMITS,
        sentence="Docker limits no computer's disk: one that writes without end fills the machine's.",
        reason="Who reads that a computer has limits must know which it has not.",
        method="Nothing is filled: that would take the disk from everybody.",
        control="None.",
        remedy="Watch the free space of the machine (`df /var/lib/docker`), and give Docker's data a disk of its own.",
        look=_disk,
    )


def size_of(text: str) -> int:
    """Return bytes of a size as Docker writes it, `2g`, `1536m` or a plain number; ValueError for anything else."""
    number, unit = (text[:-1], text[-1].lower()) if text and not text[-1].isdigit() else (text, "b")
    return int(float(number) * UNITS[unit]) if unit in UNITS else int(number)


def _default(scene: DockerScene) -> Iterator[Evidence]:
    yield from told(environment(scene, Vantage.SUPERVISOR, TOLD), scene.facts)


def told(found: Mapping[str, str], facts: DockerFacts) -> Iterator[Evidence]:
    """Yield whether each limit of the supervisor is the one of the settings."""
    wanted = cast.limits(facts)
    figures = {"memory": wanted.memory, "cpu": wanted.cpu_millis, "pids": wanted.pids}
    for variable, key in TOLD.items():
        text = found.get(variable, "")
        try:
            given = size_of(text) if key == "memory" else round(float(text) * (1000 if key == "cpu" else 1))
        except ValueError:
            given = 0
        yield Evidence(
            subject=f"{variable} of the supervisor",
            seen=text or "not set",
            control=f"computers.{key} is {getattr(facts, key)}",
            holds=given == figures[key],
        )


def _memory(scene: DockerScene) -> Iterator[Evidence]:
    own = dataclasses.replace(cast.limits(scene.facts), memory=min(SMALL_MEMORY, cast.limits(scene.facts).memory))
    with scene.computer("hog", greed.take_memory(STEP_MIB), own) as name:
        _go(scene, name)
        state = _ended(scene, name)
        held = greed.last_figure(scene.containers.log(name))
    by_limit = bool(state.get("OOMKilled")) or state.get("ExitCode") == KILLED
    yield Evidence(
        subject=f"a computer that takes memory without end, {own.memory // MIB} MiB being its limit",
        seen=f"stopped: exit code {state.get('ExitCode')}, {'out of memory' if state.get('OOMKilled') else 'killed'}",
        control=f"before that it held {held} MiB",
        holds=by_limit and own.memory // 2 < held * MIB <= own.memory,
    )
    ran = scene.execute(Vantage.NEIGHBOUR, ["echo", "alive"])
    alive = ran.output.strip() == "alive"
    yield Evidence(subject="its neighbour", seen="alive" if alive else f"exit code {ran.exit_code}", holds=alive)


def _go(scene: DockerScene, name: str) -> None:
    """Let a greedy computer begin; ContainerError when it cannot be told.

    One that is quick is ended before the command that told it has ended, and takes that along.
    """
    deadline = time.monotonic() + STOP_SECONDS
    while scene.containers.execute(name, ["touch", GO]).exit_code and _lives(scene, name):
        if time.monotonic() > deadline:
            raise ContainerError(f"touch {GO} in {name} failed: {scene.containers.explain(name)}")
        time.sleep(0.2)


def _lives(scene: DockerScene, name: str) -> bool:
    return bool(scene.containers.inspect(name)[0]["State"]["Running"])


def _ended(scene: DockerScene, name: str) -> Mapping[str, object]:
    """Return the state of a container that has ended; ContainerError when it lives on."""
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        if not _lives(scene, name):
            state: dict[str, object] = scene.containers.inspect(name)[0]["State"]
            return state
        time.sleep(0.3)
    raise ContainerError(f"{name} was not stopped within {STOP_SECONDS:.0f} s: {scene.containers.explain(name)}")


def _cpu(scene: DockerScene) -> Iterator[Evidence]:
    own = dataclasses.replace(
        cast.limits(scene.facts), cpu_millis=min(SMALL_CPU_MILLIS, cast.limits(scene.facts).cpu_millis)
    )
    limit = own.cpu_millis / 1000
    line = greed.use_processors(CPU_SECONDS, int(limit) + 1)
    without = _cores(scene.execute(Vantage.STRANGER, line).output)
    with scene.computer("spinner", programs.idle(), own) as name:
        scene.containers.wait_for(name, programs.READY, STOP_SECONDS)
        mine = _cores(scene.containers.execute(name, line).output)
    holds = greed.holds_back(limit, mine, without)
    yield Evidence(
        subject=f"a busy computer, {limit:.2f} cores being its limit",
        seen=f"{mine:.2f} cores"
        + ("; its machine has no more to give, so the limit cannot be felt here" if holds is None else ""),
        control=f"{Vantage.STRANGER}: {without:.2f} cores",
        holds=holds,
    )


def _cores(output: str) -> float:
    milliseconds = greed.last_figure(output)
    if not milliseconds:
        raise ProbeError(f"the busy processes printed nothing: {output[-500:]}")
    return milliseconds / 1000 / CPU_SECONDS


def _processes(scene: DockerScene) -> Iterator[Evidence]:
    own = dataclasses.replace(cast.limits(scene.facts), pids=SMALL_PIDS)
    with scene.computer("forker", programs.idle(), own) as name:
        scene.containers.wait_for(name, programs.READY, STOP_SECONDS)
        ran = scene.containers.execute(name, greed.start_tasks())
    started = greed.last_figure(ran.output)
    if not started:
        raise ProbeError(f"it started no task: exit code {ran.exit_code}: {ran.output[-500:]}")
    yield refused(started)


def refused(started: int) -> Evidence:
    """Return whether it was the limit that ended it: much earlier it is something else, and later there is none."""
    return Evidence(
        subject=f"a computer that starts processes without end, {SMALL_PIDS} being its limit",
        seen=f"refused after {started} tasks" if started < greed.TASKS else f"{started} tasks run, none was refused",
        control=f"{started} tasks ran",
        holds=SMALL_PIDS // 2 < started <= SMALL_PIDS,
    )


def _disk(_scene: DockerScene) -> Iterator[Evidence]:
    yield Evidence(subject="a computer that fills its disk", seen="Docker has no limit for it here", holds=None)
