"""What a runtime asks of the target that its computers run on."""

from stacks.runtime import GvisorRuntime, KataRuntime, Runtime
from stacks.target import ExistingTarget, HetznerTarget, ServerTarget, Target
from stacks.target.k3s import DROP_INS_SINCE


def refused_pair(runtime: Runtime, target: Target) -> str | None:
    """Say what is missing or too much in one section because of the other; None when they go together."""
    if isinstance(runtime, KataRuntime):
        return _refused_kata(runtime, target)
    if isinstance(runtime, GvisorRuntime) and isinstance(target, ServerTarget | HetznerTarget) and not target.gvisor:
        return (
            "target.gvisor is missing, and computers run under it (runtime.kind: gvisor); write gvisor: "
            '{release: "20261116.0", sha512: …}, the sum of gvisor.tar.bz2 as the mirror shows it'
        )
    return None


def _refused_kata(runtime: KataRuntime, target: Target) -> str | None:
    if isinstance(target, ExistingTarget):
        if "chart" in runtime.model_fields_set:
            return (
                "runtime.chart: nothing is installed on nodes that somebody else runs; take it out, and write handler: "
                "with the name under which their containerd knows Kata"
            )
        return None
    if runtime.handler is not None:
        return (
            f"runtime.handler: what is installed here is known as kata-{runtime.shim}, after its shim; write shim: "
            "in the place of handler:"
        )
    if isinstance(target, ServerTarget) and not target.k3s.imports_drop_ins:
        since = ", ".join(f"v1.{minor}.{patch}" for minor, patch in DROP_INS_SINCE.items())
        return (
            f"target.k3s.version: containerd of k3s {target.k3s.version} reads no drop-ins, so nobody could tell it "
            f"about Kata; write {since} or newer, or runtime: {{kind: gvisor}}"
        )
    return None
