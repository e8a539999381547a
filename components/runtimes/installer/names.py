"""Names of the node installer's objects."""

INSTALLER = "node-installer"
PROVER = "node-prover"
PROGRAM = "node-program"
LABEL = "rakazo-infra/gvisor"
"""Label of a node on which a pod has run under gVisor, and still does."""
READY = "ready"


def namespace(application: str) -> str:
    """Namespace of the installer of the stack whose application namespace this is."""
    return f"{application}-nodes"


def cluster_wide(application: str, role: str) -> str:
    """Name of an object without a namespace; two stacks on one cluster share none."""
    return f"{application}-{role}"
