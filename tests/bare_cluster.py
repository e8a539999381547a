"""An embedded cluster whose computers' node knows no gVisor: a cloud's, before the node installer has been there."""

import sys

from rich.console import Console

from local import cluster as embedded
from local.cluster import ClusterFolder, Facts, Layout, NodeLayout
from tests.gvisor_mirror import Mirror

CONTAINERD = "/etc/containerd/config.toml"
BARE = Layout(
    computers=NodeLayout(
        handlers={},
        containerd_config=CONTAINERD,
        containerd_under=(sys.executable, "-m", "tests.node_manager"),
    )
)


def start(name: str, console: Console) -> Facts:
    """Bring one up, with a mirror of gVisor in its outside; `Mirror(name, console).settings` says where."""
    facts = embedded.up(name, console, layout=BARE)
    Mirror(name, console).start()
    return facts


def replace_node(name: str, console: Console) -> None:
    """Take the computers' node away and bring a new one in its place, as an upgrade of a cloud does."""
    folder = ClusterFolder(name)
    folder.machine("computers").end()
    embedded.up(name, console, layout=BARE)
