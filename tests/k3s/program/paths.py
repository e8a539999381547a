"""Where k3s keeps things; the paths are part of its interface."""

from pathlib import Path

DATA = Path("/var/lib/rancher/k3s")
TOOLS = Path("/opt/rakazo-tools")
"""The real components, which k3s has compiled in; mounted here read-only."""

KUBECONFIG = Path("/etc/rancher/k3s/k3s.yaml")
NODE_PASSWORD = Path("/etc/rancher/node/password")
RUN = Path("/run/k3s")
CONTAINERD_STATE = RUN / "containerd"
CONTAINERD_SOCKET = CONTAINERD_STATE / "containerd.sock"
CTR = "/usr/bin/ctr"
"""Debian's; by its name alone one would find the link that leads back to this program."""
CNI_PLUGINS = Path("/usr/lib/cni")
"""Debian's, from the package containernetworking-plugins."""


class Layout:
    """The folders below a node's data directory."""

    def __init__(self, data: Path = DATA) -> None:
        """Name them; nothing is made."""
        self.data = data
        self.server = data / "server"
        self.tls = self.server / "tls"
        self.etcd_tls = self.tls / "etcd"
        self.credentials = self.server / "cred"
        self.token = self.server / "token"
        self.node_token = self.server / "node-token"
        self.agent_token = self.server / "agent-token"
        self.manifests = self.server / "manifests"
        self.etcd = self.server / "db" / "etcd"
        self.alone = self.server / "db" / "alone"
        """Store of a server without embedded etcd; k3s has SQLite there."""
        self.snapshots = self.server / "db" / "snapshots"
        self.storage = data / "storage"

        self.agent = data / "agent"
        self.images = self.agent / "images"
        self.containerd = self.agent / "containerd"
        self.containerd_log = self.containerd / "containerd.log"
        self.etc = self.agent / "etc"
        self.containerd_etc = self.etc / "containerd"
        self.containerd_config = self.containerd_etc / "config.toml"
        self.kubelet_config = self.etc / "kubelet.conf.d" / "00-k3s-defaults.conf"
        self.cni = self.etc / "cni" / "net.d"
        self.balancer = self.etc / "k3s-agent-load-balancer.json"


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Write a file whole or not at all, with this mode from its first byte on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    draft.unlink(missing_ok=True)
    draft.touch(mode=mode)
    draft.chmod(mode)
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
