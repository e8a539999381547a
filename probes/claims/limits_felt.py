"""What a greedy computer feels of its limits, and what its neighbour feels of it."""

from collections.abc import Iterator

from probes import cast, greed
from probes.claim import Claim, Evidence, Group
from probes.greed import MIB, TASKS
from probes.pods import PodError
from probes.prober import Ran
from probes.scene import Scene
from probes.vantage import Vantage
from probes.watched import evicted, go, harm, stopped
from probes.whereabouts import pod_of
from stacks.quantity import size_bytes

SMALL_MEMORY, SMALL_DISK, SMALL_CPU = "256Mi", "64Mi", "200m"
"""Own limits of the greedy computers, where those are enforced: they end sooner and take less from the node."""
STEP_MIB = 32
CPU_SECONDS = 1.0
"""Ten periods of the scheduler's quota, and once more without it."""
REASON = "One computer must not be able to take its node, and other people's computers with it."
CONTROL = "Until the limit it got what it took."


def claims() -> Iterator[Claim]:
    """Claims that are proven by greed."""
    yield Claim(
        id="limits-memory",
        group=Group.LIMITS,
        sentence="A computer that takes memory without end is stopped at its limit, and its neighbour lives.",
        reason=REASON,
        method="A computer of the probe's own takes memory until the kernel ends it. Under gVisor the limit is that of "
        "the whole pod, so it may take as much as settings.computers.memory and the runtime's overhead.",
        control=CONTROL,
        remedy="Look at the node's memory cgroup of the pod: its limit must not be `max`. gVisor's setting "
        "systemd-cgroup must equal SystemdCgroup of containerd's runc.",
        look=_memory,
    )
    yield Claim(
        id="limits-cpu",
        group=Group.LIMITS,
        sentence="A busy computer gets no more processor time than its limit.",
        reason=REASON,
        method="Busy processes, one more than the limit has cores, add up the time for which a processor was theirs: "
        "in a computer and in a pod without limits, one after the other.",
        control="The pod without limits gets more than the computer's limit; where the node has no more, nothing "
        "can be felt.",
        remedy="Look at the node's cpu cgroup of the pod: its quota must not be `-1` or `max`. The kubelet must not "
        "run with cpuCFSQuota: false.",
        look=_cpu,
        alone=True,
    )
    yield Claim(
        id="limits-processes",
        group=Group.LIMITS,
        sentence="A computer that starts processes without end is refused.",
        reason="A node has a fixed number of processes for all of its pods.",
        method=f"A computer of the probe's own starts up to {TASKS} tasks.",
        control="It starts some.",
        remedy="Set podPidsLimit in the configuration of the computers' nodes' kubelets, such as podPidsLimit: 4096; "
        "Kubernetes has no such limit of its own.",
        look=_processes,
    )
    yield Claim(
        id="limits-disk",
        group=Group.LIMITS,
        sentence="A computer that fills its node's disk is evicted, and its neighbour lives.",
        reason=REASON,
        method=f"A computer of the probe's own with {SMALL_DISK} of ephemeral storage writes four times as much.",
        control="It wrote all of it first: nothing but the kubelet's look, every ten seconds, ends it.",
        remedy="The kubelet must run with localStorageCapacityIsolation: true, on a file system that it can measure.",
        look=_disk,
    )


def _memory(scene: Scene) -> Iterator[Evidence]:
    facts, subject = scene.facts, "a computer that takes memory without end"
    own = _smaller(facts.memory, SMALL_MEMORY)
    with scene.computer("verify-hog", greed.take_memory(STEP_MIB), memory=own) as pod:
        limit = greed.enforced(pod, facts.runtime).memory
        reason = harm(scene, pod, limit)
        if reason:
            yield Evidence(subject=subject, seen=reason, holds=None)
            return
        go(scene, pod)
        end = stopped(scene, pod, limit)
        yield Evidence(
            subject=f"{subject}, {limit // MIB} MiB being its limit",
            seen=end.seen,
            control=f"before that it held {end.figure} MiB",
            holds=end.by_limit and size_bytes(own) // 2 < end.figure * MIB <= limit,
        )
        yield _neighbour(scene, str(pod.spec.node_name))


def _disk(scene: Scene) -> Iterator[Evidence]:
    own = _smaller(scene.facts.ephemeral_storage, SMALL_DISK)
    written = 4 * size_bytes(own) // MIB
    with scene.computer("verify-filler", greed.fill_disk(written), ephemeral_storage=own) as pod:
        go(scene, pod)
        end = evicted(scene, pod)
        yield Evidence(
            subject=f"a computer that fills its disk, {own} being its limit",
            seen=end.seen,
            control=f"before that it wrote {end.figure} MiB",
            holds=end.by_limit,
        )
        yield _neighbour(scene, str(pod.spec.node_name))


def _cpu(scene: Scene) -> Iterator[Evidence]:
    facts = scene.facts
    with scene.computer("verify-spinner", cast.idle(), cpu=SMALL_CPU) as pod:
        limit = greed.enforced(pod, facts.runtime).cpu / 1000
        processes = int(limit) + 1
        line = greed.use_processors(CPU_SECONDS, processes)
        without = _cores(scene.execute(Vantage.CONTROL, line))
        mine = _cores(scene.computers.execute(pod.metadata.name, line))
    holds = greed.holds_back(limit, mine, without)
    yield Evidence(
        subject=f"a busy computer, {limit:.2f} cores being its limit",
        seen=f"{mine:.2f} cores for {processes} busy processes"
        + ("; its node has no more to give, so the limit cannot be felt here" if holds is None else ""),
        control=f"{Vantage.CONTROL}: {without:.2f} cores",
        holds=holds,
    )


def _cores(ran: Ran) -> float:
    """Return the cores that busy processes had; PodError when they printed nothing."""
    milliseconds = greed.last_figure(ran.output)
    if not milliseconds:
        raise PodError(f"the busy processes ended with exit code {ran.exit_code}: {ran.output[-500:]}")
    return milliseconds / 1000 / CPU_SECONDS


def _processes(scene: Scene) -> Iterator[Evidence]:
    subject = "a computer that starts processes without end"
    if scene.facts.runtime != "runc":
        whose = "gVisor's" if scene.facts.runtime == "gvisor" else "its virtual machine's"
        seen = f"they live in {whose} own kernel, not in the node's, and end at the memory limit: see limits-memory"
        yield Evidence(subject=subject, seen=seen, holds=None)
        return
    with scene.computer("verify-forker", cast.idle()) as pod:
        ran = scene.computers.execute(pod.metadata.name, greed.start_tasks())
    started = greed.last_figure(ran.output)
    if not started:
        yield Evidence(subject=subject, seen=f"stopped with exit code {ran.exit_code}", holds=True)
        return
    yield Evidence(
        subject=subject,
        seen=f"refused after {started} tasks" if started < TASKS else f"{started} tasks run and none was refused",
        control=f"{started} tasks ran",
        holds=started < TASKS,
    )


def _neighbour(scene: Scene, node: str) -> Evidence:
    vantage = Vantage.COMPUTER if Vantage.NEIGHBOUR in scene.missing else Vantage.NEIGHBOUR
    ran = scene.execute(vantage, ["echo", "alive"])
    where = "the same node" if pod_of(scene, vantage).spec.node_name == node else "another node"
    alive = ran.output.strip() == "alive"
    return Evidence(
        subject=f"its neighbour on {where}", seen="alive" if alive else f"exit code {ran.exit_code}", holds=alive
    )


def _smaller(configured: str, own: str) -> str:
    """Return the probe's own limit, or the configured one where that is smaller still."""
    return min(configured, own, key=size_bytes)
