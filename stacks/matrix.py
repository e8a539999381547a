"""Which runtime goes with which target, how it gets onto the nodes, and why the rest does not go together.

The one table of it: settings refuse by it, the deployment chooses by it, and docs/targets/README.md is written from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

Version = tuple[int, int]
"""(major, minor) of Kubernetes."""


class Way(Enum):
    """How a runtime gets onto the nodes, in words for people."""

    PRESENT = "the nodes bring it"
    MACHINES = "installed while the machines are set up"
    INSTALLER = "installed by the node installer"
    MANAGED = "the cloud's own"
    CHART = "installed by kata-deploy's chart"
    ORDINARY = "every containerd has it"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A target and a runtime that go together."""

    way: Way
    since: Version | None = None
    """First Kubernetes with which they do; None: every one that a stack may have."""
    too_old: str = ""
    """Why an older one does not go, where there is such a limit."""
    caveat: str = ""
    """What a preview tells although they go together; empty: nothing."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A target and a runtime that do not."""

    reason: str
    """What is wrong, and what to write instead."""


_GUEST = "every computer would fail to start"
_GVISOR = "Write runtime: {kind: gvisor}, which is offered here"
_ELSEWHERE = "for Kata rent a dedicated machine and write target.kind: server, or write target.kind: eks"
_RUNC = Cell(way=Way.ORDINARY)

MATRIX: Mapping[str, Mapping[str, Cell | Refusal]] = {
    "existing": {"gvisor": Cell(way=Way.PRESENT), "kata": Cell(way=Way.PRESENT), "runc": _RUNC},
    "server": {
        "gvisor": Cell(way=Way.MACHINES),
        "kata": Cell(
            way=Way.CHART,
            since=(1, 34),
            too_old="k3s before 1.34 reads no drop-in of its containerd's configuration, which is all that Kata's "
            "installer writes; write a release from v1.34.6+k3s1 on, or runtime: {kind: gvisor}",
        ),
        "runc": _RUNC,
    },
    "hetzner": {
        "gvisor": Cell(way=Way.MACHINES),
        "kata": Refusal(
            reason="runtime.kind: kata needs virtualization inside the machine, and no server of Hetzner Cloud has it: "
            f"{_GUEST}. {_GVISOR}; {_ELSEWHERE}"
        ),
        "runc": _RUNC,
    },
    "digitalocean": {
        "gvisor": Cell(
            way=Way.INSTALLER,
            caveat="settings.runtime is gvisor on DigitalOcean, whose Cilium translates Services in the node's "
            "kernel, past which gVisor's own network goes: names and Services may not answer in computers, and no "
            "cluster of DigitalOcean was tried. The proof asks for both and keeps the way in closed if they do not.",
        ),
        "kata": Refusal(
            reason="runtime.kind: kata needs virtualization inside the machine, which DigitalOcean promises for no "
            f"Droplet: {_GUEST}. {_GVISOR}; {_ELSEWHERE}"
        ),
        "runc": _RUNC,
    },
    "eks": {"gvisor": Cell(way=Way.MACHINES), "kata": Cell(way=Way.CHART), "runc": _RUNC},
    "gke": {"gvisor": Cell(way=Way.MANAGED), "kata": Cell(way=Way.CHART), "runc": _RUNC},
}
"""Kind of target to kind of runtime."""


def refused_pair(runtime: object, target: object, version: Version | None = None) -> str | None:
    """Say why two kinds, as a stack file has them, do not go together; None when they do or are no kinds at all."""
    found = _found(runtime, target)
    if isinstance(found, Refusal):
        return found.reason
    if found is None or found.since is None or version is None or version >= found.since:
        return None
    major, minor = found.since
    return (
        f"runtime.kind: {runtime} goes with target.kind: {target} from Kubernetes {major}.{minor} on: {found.too_old}"
    )


def choose_way(runtime: str, target: str, *, installs: bool = False) -> Way:
    """Return how the runtime gets onto the nodes; ValueError for a pair that is refused.

    `installs` is whether a target that can go without the node installer was told a release for it.
    """
    found = _found(runtime, target)
    if not isinstance(found, Cell):
        raise ValueError(f"{target} and {runtime} do not go together: {found}")  # noqa: TRY004 - the value is wrong
    return Way.INSTALLER if installs and found.way is Way.PRESENT else found.way


def caveat(runtime: str, target: str) -> str:
    """Return what a preview tells about two kinds that go together; empty: nothing."""
    found = _found(runtime, target)
    return found.caveat if isinstance(found, Cell) else ""


def _found(runtime: object, target: object) -> Cell | Refusal | None:
    if not isinstance(runtime, str) or not isinstance(target, str):
        return None
    return MATRIX.get(target, {}).get(runtime)
