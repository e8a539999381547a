"""Programs that take without end, and what their figures mean beside a limit."""

from collections.abc import Callable
from dataclasses import dataclass

from kubernetes import client

from probes.kernel import Runtime
from stacks.quantity import cpu_millis, size_bytes

GO = "/tmp/go"  # noqa: S108 - inside a computer of our own
"""What starts a greedy program: it would else have ended before anybody saw it run."""
MIB = 1 << 20
FELT, NOISE = 1.6, 1.4
"""A limit can be felt where a pod without it gets FELT times as much; what is within NOISE times it is kept."""
TASKS = 5000
"""More than 4096, the largest limit of processes per pod in common use."""

_WAIT = f"""
import os, signal, sys, time
while not os.path.exists({GO!r}): time.sleep(0.05)
"""
# Written, not only asked for: untouched memory costs nothing.
_MEMORY = f"""{_WAIT}
held, step = [], int(sys.argv[1])
while True:
    held.append(b"\\1" * (step << 20))
    print(len(held) * step, flush=True)
"""
# Into the home: under gVisor the temporary folder is memory.
_DISK = f"""{_WAIT}
block, most = b"\\1" * (16 << 20), int(sys.argv[1])
with open(os.path.expanduser("~/filled"), "wb") as file:
    for written in range(16, most + 1, 16):
        file.write(block)
        file.flush()
        print(written, flush=True)
signal.pause()
"""
# Each child only looks at the clock: where it jumps, somebody else had the processor or nobody was let to it. Time is
# what a limit rations, and work per time would depend on what else the node does.
_CPU = """
import os, sys, time
seconds, children, ends = float(sys.argv[1]), int(sys.argv[2]), []
for _ in range(children):
    end, mine = os.pipe()
    if os.fork() == 0:
        before, ran = time.monotonic(), 0.0
        until = before + seconds
        while before < until:
            now = time.monotonic()
            if now - before < 0.0005: ran += now - before
            before = now
        os.write(mine, b"%d" % (ran * 1000))
        os._exit(0)
    ends.append(end)
print(sum(int(os.read(end, 32)) for end in ends))
"""
# Threads count as processes do, and cost the node less. Ends itself: nobody has to look for what it started.
_TASKS = """
import os, sys, threading
threading.stack_size(64 << 10)
most, started, hold = int(sys.argv[1]), 1, threading.Event()
try:
    while started < most:
        threading.Thread(target=hold.wait, daemon=True).start()
        started += 1
except RuntimeError:
    pass
print(started, flush=True)
os._exit(0)
"""


def take_memory(step_mib: int) -> list[str]:
    """Return a command that takes memory without end and prints the MiB it holds."""
    return ["python3", "-c", _MEMORY, str(step_mib)]


def fill_disk(most_mib: int) -> list[str]:
    """Return a command that writes so much to its disk, prints the MiB it wrote, and stays."""
    return ["python3", "-c", _DISK, str(most_mib)]


def use_processors(seconds: float, processes: int) -> list[str]:
    """Return a command that does so for a while and prints the milliseconds that its processes had together."""
    return ["python3", "-c", _CPU, str(seconds), str(processes)]


def start_tasks(most: int = TASKS) -> list[str]:
    """Return a command that starts tasks until it is refused, and prints how many there were, itself included."""
    return ["python3", "-c", _TASKS, str(most)]


def last_figure(log: str) -> int:
    """Return the last whole number that a program printed; 0 when there was none."""
    return next((int(line) for line in reversed(log.split()) if line.isdigit()), 0)


def holds_back(limit: float, mine: float, without: float) -> bool | None:
    """Return whether a processor limit is kept, all figures in cores; None where the node has no more to give.

    `mine` is what a computer with the limit got, `without` what a pod without one got.
    """
    if mine > NOISE * limit:
        return False
    return True if without >= FELT * limit else None


@dataclass(frozen=True, kw_only=True)
class Enforced:
    """What the kernel holds a pod's first container to."""

    memory: int
    """Bytes."""
    cpu: int
    """Thousandths of a core."""


def enforced(pod: client.V1Pod, runtime: Runtime) -> Enforced:
    """Return the limits that a running pod really has; KeyError when a container has none.

    Under runc a container has its own, and so it has from the kernel inside a Kata computer. gVisor runs all
    containers of a pod in one process, which is held to the pod's: the larger of its containers together and its
    largest init container, and the runtime's overhead.
    """
    own = [each.resources.limits for each in pod.spec.containers]
    if runtime != "gvisor":
        return Enforced(memory=size_bytes(own[0]["memory"]), cpu=cpu_millis(own[0]["cpu"]))
    before = [each.resources.limits for each in pod.spec.init_containers or []]
    beside = pod.spec.overhead or {}

    def of_pod(kind: str, amount: Callable[[str], int]) -> int:
        largest = max(sum(amount(each[kind]) for each in own), *(amount(each[kind]) for each in before), 0)
        return largest + (amount(beside[kind]) if kind in beside else 0)

    return Enforced(memory=of_pod("memory", size_bytes), cpu=of_pod("cpu", cpu_millis))


def booked_memory(pod: client.V1Pod) -> int:
    """Return the bytes that the scheduler books for a pod, its runtime's overhead included."""
    own = sum(_request(each) for each in pod.spec.containers)
    before = max((_request(each) for each in pod.spec.init_containers or []), default=0)
    beside = (pod.spec.overhead or {}).get("memory")
    return max(own, before) + (size_bytes(beside) if beside else 0)


def _request(container: client.V1Container) -> int:
    text = (container.resources.requests or {}).get("memory") if container.resources else None
    return size_bytes(text) if text else 0
