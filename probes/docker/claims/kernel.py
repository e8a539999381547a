"""Which kernel computers run on: the machine's own, and what that means beside what a sandbox would give."""

import re
from collections.abc import Iterator

from probes.claim import Claim, Evidence, Group
from probes.docker.facts import DockerFacts
from probes.docker.scene import NAMES, DockerScene
from probes.prober import ProbeError
from probes.vantage import Vantage

OTHERS = {
    "gVisor": "a kernel of its own, written in a language without such faults, between computer and machine",
    "Kata": "a kernel of its own, inside a virtual machine that the processor keeps apart",
}
_NETWORK = re.compile(r"net:\[[0-9]+\]")
INSTEAD = "needs computers on Kubernetes (leave out computers.kind): the supervisor knows Docker's own runtime alone"


def claims(facts: DockerFacts) -> Iterator[Claim]:
    """The claim about the kernel, which is a confession."""
    yield Claim(
        id="kernel-shared",
        group=Group.KERNEL,
        sentence="A computer shares the kernel of its machine, as the settings say (runtime.kind: "
        f"{facts.runtime}): one fault in that kernel is a way out to everything on the machine.",
        reason="A program that breaks out of a container is stopped by the kernel under it, and by nothing else; "
        "whoever needs more than that must know that it is not here.",
        method="From inside a computer and on the machine: `uname -r`, and the number that the kernel has given to the "
        "computer's network, which no two kernels agree about.",
        control="Under gVisor or Kata the numbers differ: what is inside has them from a kernel of its own.",
        remedy=f"What is found is another runtime than the settings say: `docker info` on the machine names its "
        f"default runtime, which must be {facts.runtime}. A kernel of their own {INSTEAD}.",
        look=_shared,
    )


def _shared(scene: DockerScene) -> Iterator[Evidence]:
    name = NAMES[Vantage.COMPUTER]
    (found,) = scene.containers.inspect(name)
    inside = _told(scene, Vantage.COMPUTER, "self")
    machine = _told(scene, Vantage.MACHINE, str(found["State"]["Pid"]))
    yield shared(inside, machine)
    for name, gives in OTHERS.items():
        yield Evidence(subject=f"what {name} would give", seen=f"{gives}; {INSTEAD}", holds=None)


def shared(inside: tuple[str, str], machine: tuple[str, str]) -> Evidence:
    """Return whether both have told the same release and network; ProbeError when a kernel has told no number."""
    for who, (_, network) in (("a computer", inside), ("its machine", machine)):
        if not _NETWORK.fullmatch(network):
            raise ProbeError(f"{who} does not tell which network it has: {network[-300:] or 'it says nothing'}")
    same = inside == machine
    return Evidence(
        subject="a computer's kernel",
        seen=f"release {inside[0]}, {inside[1]}: {'the same' if same else 'not the same'} as on the machine",
        control=f"the machine of the same process: release {machine[0]}, {machine[1]}",
        holds=same,
    )


def _told(scene: DockerScene, vantage: Vantage, process: str) -> tuple[str, str]:
    """Return the release, and the network of a process as this kernel knows it; the machine knows each by its number.

    Boot ids would not do: a machine that is a container itself has one of its own.
    """
    release = scene.execute(vantage, ["uname", "-r"]).output.strip()
    return release, scene.execute(vantage, ["readlink", f"/proc/{process}/ns/net"]).output.strip()
