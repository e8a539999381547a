"""Which image goes to which node, and bringing it there."""

from collections.abc import Mapping

from local.cluster.addresses import COMPUTERS, NODES, SYSTEM
from local.images.archive import ImageArchive
from local.machines.machine import Machine

# Needed before a node can run anything, and before the cluster counts as ready.
FIRST = {
    SYSTEM.name: ("pause", "coredns"),
    COMPUTERS.name: ("pause",),
}
# The desktop of 1.3 GB is of use on the computers' node only.
LATER = {
    SYSTEM.name: ("local-path-provisioner", "toolbox", "postgres", "app", "computer-lite"),
    COMPUTERS.name: ("toolbox", "computer-lite", "computer"),
}
IMPORT_SECONDS = 300.0


def reference_list(machine: Machine) -> set[str]:
    """Return the references that the node's containerd knows."""
    return set(machine.run(["ctr", "--namespace", "k8s.io", "images", "list", "--quiet"]).split())


def bring(machine: Machine, names: tuple[str, ...], images: Mapping[str, ImageArchive]) -> None:
    """Import those of the named images that the node lacks; raises LocalError with containerd's reason."""
    known = reference_list(machine)
    for name in names:
        image = images.get(name)
        if image is None or image.reference in known:
            continue
        machine.run(["ctr", "--namespace", "k8s.io", "images", "import", str(image.archive)], seconds=IMPORT_SECONDS)


def wanted() -> set[str]:
    """Return the names of all images that some node needs."""
    return {name for node in NODES for name in (*FIRST[node.name], *LATER[node.name])}
