"""What of a target and of a runtime does not go together although the two kinds do."""

from collections.abc import Iterator
from dataclasses import dataclass

from stacks import machine_type, matrix
from stacks.matrix import Version, Way
from stacks.target.gvisor import GvisorSettings
from stacks.target.k3s import DROP_INS_SINCE, K3sSettings

HANDLER = "runsc"
"""Name under which every installation of ours makes gVisor known to containerd."""
_OF_THE_CLASS = ("handler", "node_selector", "tolerations", "overhead")
_NESTED = {"eks": "m7i.2xlarge, m8i.2xlarge or a .metal", "gke": "n2-standard-8"}
_X86 = {"eks": "m7i.2xlarge", "gke": "n2-standard-8"}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A target and a runtime as far as they depend on each other."""

    target: str
    runtime: str
    kubernetes_version: Version
    machine: str | None = None
    """Machine type of the computers' nodes, where the target rents them."""
    fewest: int | None = None
    """How many of these nodes there are while nobody works, where their number changes."""
    release: GvisorSettings | None = None
    """The release of gVisor that the target names to install, if any."""
    k3s: K3sSettings | None = None
    """The release of k3s that the nodes run, where the stack installs it."""
    handler: str | None = None
    """The handler, when the stack file writes one."""
    shim: str | None = None
    """Kata's hypervisor, whose name decides the handler's where the stack installs it."""
    written: frozenset[str] = frozenset()
    """Keys that the stack file writes below `runtime`."""

    @property
    def way(self) -> Way:
        """How the runtime gets onto the nodes; ValueError for a pair that is refused."""
        return matrix.choose_way(self.runtime, self.target, installs=self.release is not None)


def refused(pair: Pair) -> Iterator[str]:
    """Yield every reason, each with what to write instead."""
    reasons = (
        matrix.refused_pair(pair.runtime, pair.target, pair.kubernetes_version),
        _processor(pair),
        _virtualization(pair),
        _platform(pair),
        _handler(pair),
        _release(pair),
        _class_of_the_cloud(pair),
        _chart(pair),
        _shim(pair),
        _drop_ins(pair),
        _first_node(pair),
    )
    yield from (reason for reason in reasons if reason is not None)


def _processor(pair: Pair) -> str | None:
    if pair.machine is None or not machine_type.is_arm(pair.target, pair.machine):
        return None
    return (
        f"target: {pair.machine} has an Arm processor, and the images and the release of gVisor of a stack are for "
        f"x86-64; write a type such as {_X86[pair.target]}"
    )


def _virtualization(pair: Pair) -> str | None:
    if pair.runtime != "kata" or pair.machine is None:
        return None
    reason = machine_type.without_virtualization(pair.target, pair.machine)
    if reason is None:
        return None
    return (
        f"runtime.kind: kata needs virtualization inside the computers' machines, and {reason}: every computer would "
        f"fail to start. Write a type such as {_NESTED[pair.target]}, or runtime: {{kind: gvisor}}, which runs on "
        "every x86-64 type"
    )


def _platform(pair: Pair) -> str | None:
    platform = pair.release.platform if pair.release else None
    if pair.runtime != "gvisor" or platform != "kvm" or pair.target in {"existing", "server"}:
        return None
    if pair.machine is not None and machine_type.is_bare_metal(pair.target, pair.machine):
        return None
    who = pair.machine or f"a machine of {pair.target}"
    return (
        f"target.gvisor.platform: kvm needs /dev/kvm of a whole machine, which {who} is not; write platform: systrap, "
        "which needs nothing of it" + (", or a .metal type" if pair.target == "eks" else "")
    )


def _handler(pair: Pair) -> str | None:
    if pair.runtime != "gvisor" or pair.handler in {None, HANDLER}:
        return None
    if pair.way not in {Way.MACHINES, Way.INSTALLER}:
        return None
    return (
        f"runtime.handler: {pair.handler} is known to no node, since gVisor is installed here under the name "
        f"{HANDLER}: every computer would fail to start. Leave handler out; another name belongs to target.kind: "
        "existing, whose nodes bring gVisor themselves"
    )


def _release(pair: Pair) -> str | None:
    if pair.runtime != "gvisor" or pair.release is not None or pair.way is not Way.MACHINES:
        return None
    return (
        "target.gvisor is missing, and computers run under it (runtime.kind: gvisor): no node brings it here. Write "
        'the release and the sum of its gvisor.tar.bz2, gvisor: {release: "20261116.0", sha512: …}'
    )


def _class_of_the_cloud(pair: Pair) -> str | None:
    if pair.target != "gke" or pair.runtime != "gvisor":
        return None
    lost = [key for key in _OF_THE_CLASS if key in pair.written]
    if not lost:
        return None
    return (
        f"runtime.{lost[0]} is a field of a RuntimeClass, and GKE Sandbox brings its own, called gvisor, which nobody "
        f"else may change: what is written would mean nothing. Leave out {', '.join(lost)}; to have a say in it "
        "write target.kind: existing and install gVisor on nodes of yours"
    )


def _chart(pair: Pair) -> str | None:
    if pair.runtime != "kata" or pair.target != "existing" or "chart" not in pair.written:
        return None
    return (
        "runtime.chart: nothing is installed on nodes that somebody else runs; take it out, and write handler: with "
        "the name under which their containerd knows Kata"
    )


def _shim(pair: Pair) -> str | None:
    if pair.runtime != "kata" or pair.target == "existing" or pair.handler is None:
        return None
    return (
        f"runtime.handler: what is installed here is known as kata-{pair.shim}, after its shim; write shim: in the "
        "place of handler:"
    )


def _drop_ins(pair: Pair) -> str | None:
    """Look at the patch release; the table knows the minor ones."""
    if pair.runtime != "kata" or pair.k3s is None or pair.k3s.imports_drop_ins:
        return None
    since = ", ".join(f"v1.{minor}.{patch}" for minor, patch in DROP_INS_SINCE.items())
    return (
        f"target.k3s.version: containerd of k3s {pair.k3s.version} reads no drop-ins, so nobody could tell it about "
        f"Kata; write {since} or newer, or runtime: {{kind: gvisor}}"
    )


def _first_node(pair: Pair) -> str | None:
    if pair.runtime != "kata" or pair.fewest != 0:
        return None
    return (
        "target.computers.minimum: 0 and runtime.kind: kata: computers go where Kata is, and no autoscaler knows that "
        "of a node that is not there, so none would ever be added; write minimum: 1"
    )
