"""How a running cluster is reached from the host."""

from local.cluster.folder import ClusterFolder, Facts
from local.failure import LocalError


def _facts(folder: ClusterFolder) -> Facts:
    facts = folder.facts()
    if facts is None:
        raise LocalError(f"cluster {folder.name} is not up: run `rakazo-infra local up --name {folder.name}` first")
    return facts


def environment(name: str) -> dict[str, str]:
    """Return the variables that make plain `kubectl` work on the cluster; LocalError when it is not up."""
    folder = ClusterFolder(name)
    _facts(folder)
    return {"KUBECONFIG": str(folder.kubeconfig)}


def way_in(name: str) -> str:
    """Return the URL at which the application's web answers on the host's loopback; LocalError when it is not up."""
    return f"http://127.0.0.1:{_facts(ClusterFolder(name)).door_port}"
