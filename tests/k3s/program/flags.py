"""Every flag of `k3s server` and `k3s agent`, which are the keys of the configuration files as well.

Sources: the two tables and the help texts of docs.k3s.io/cli/server and /cli/agent (k3s-io/docs 0243496 and 1f023c0)
and the list of k3s' server flags that RKE2 keeps of them (rancher/rke2 pkg/cli/cmds/server.go), which names the hidden
ones too. Flags that k3s has removed (no-flannel, no-deploy, cluster-secret) are unknown here, as they are to it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

SERVER = "server"
AGENT = "agent"


class Kind(Enum):
    """What a flag takes."""

    TEXT = "one value"
    NUMBER = "one whole number"
    SWITCH = "true or false"
    LIST = "a list of values"


@dataclass(frozen=True)
class Flag:
    """One flag."""

    name: str
    kind: Kind
    environment: str = ""
    """Variable that is read when neither the command line nor a file gives a value."""
    beyond: bool = False
    """k3s knows it, the stand-in cannot do what it says: setting it is refused."""


AGENT_TEXT = """
    alsologtostderr! config=K3S_CONFIG_FILE container-runtime-endpoint! data-dir=K3S_DATA_DIR default-runtime
    flannel-cni-conf! flannel-conf! flannel-iface image-credential-provider-bin-dir image-credential-provider-config
    image-service-endpoint! log! node-name=K3S_NODE_NAME pause-image private-registry resolv-conf=K3S_RESOLV_CONF
    server=K3S_URL snapshotter token=K3S_TOKEN token-file=K3S_TOKEN_FILE vmodule vpn-auth! vpn-auth-file! bind-address
"""
AGENT_NUMBERS = "lb-server-port=K3S_LB_SERVER_PORT v"
AGENT_SWITCHES = """
    debug=K3S_DEBUG disable-apiserver-lb! disable-default-registry-endpoint docker! enable-pprof nonroot-devices
    prefer-bundled-bin protect-kernel-defaults rootless! selinux! with-node-id!
"""
AGENT_LISTS = """
    airgap-extra-registry kube-proxy-arg kubelet-arg node-external-dns node-external-ip node-internal-dns node-ip
    node-label node-taint
"""
SERVER_TEXT = """
    advertise-address agent-token=K3S_AGENT_TOKEN agent-token-file=K3S_AGENT_TOKEN_FILE apiserver-bind-address!
    cluster-domain cluster-reset-restore-path datastore-cafile! datastore-certfile!
    datastore-endpoint=K3S_DATASTORE_ENDPOINT! datastore-keyfile! default-local-storage-path egress-selector-mode
    etcd-s3-access-key=AWS_ACCESS_KEY_ID etcd-s3-bucket etcd-s3-bucket-lookup-type etcd-s3-config-secret
    etcd-s3-endpoint etcd-s3-endpoint-ca etcd-s3-folder etcd-s3-proxy etcd-s3-region
    etcd-s3-secret-key=AWS_SECRET_ACCESS_KEY etcd-s3-session-token etcd-s3-timeout etcd-snapshot-dir etcd-snapshot-name
    etcd-snapshot-reconcile-interval etcd-snapshot-schedule-cron flannel-backend helm-job-image
    secrets-encryption-provider service-node-port-range servicelb-namespace system-default-registry
    write-kubeconfig=K3S_KUBECONFIG_OUTPUT write-kubeconfig-group=K3S_KUBECONFIG_GROUP
    write-kubeconfig-mode=K3S_KUBECONFIG_MODE
"""
SERVER_NUMBERS = "advertise-port! apiserver-port! etcd-snapshot-retention https-listen-port! supervisor-port!"
SERVER_SWITCHES = """
    cluster-init=K3S_CLUSTER_INIT cluster-reset=K3S_CLUSTER_RESET disable-agent! disable-apiserver!
    disable-cloud-controller disable-controller-manager! disable-etcd! disable-helm-controller disable-kube-proxy
    disable-network-policy disable-scheduler! embedded-registry etcd-disable-snapshots etcd-expose-metrics etcd-s3
    etcd-s3-insecure etcd-s3-skip-ssl-verify etcd-snapshot-compress flannel-external-ip flannel-ipv6-masq kine-tls!
    secrets-encryption supervisor-metrics tls-san-security
"""
SERVER_LISTS = """
    cluster-cidr cluster-dns disable etcd-arg kube-apiserver-arg kube-cloud-controller-manager-arg
    kube-controller-manager-arg kube-scheduler-arg service-cidr tls-san
"""
SHORT = {"c": "config", "t": "token", "s": "server", "d": "data-dir", "i": "node-ip", "o": "write-kubeconfig"}
"""One letter to the name for which it stands; `-v` is a name of its own."""

IDENTICAL = (
    "agent-token",
    "cluster-cidr",
    "cluster-dns",
    "cluster-domain",
    "disable-cloud-controller",
    "disable-helm-controller",
    "disable-network-policy",
    "egress-selector-mode",
    "embedded-registry",
    "flannel-backend",
    "flannel-external-ip",
    "flannel-ipv6-masq",
    "secrets-encryption",
    "secrets-encryption-provider",
    "service-cidr",
)
"""What every server must be given alike, and `disable` as far as it names servicelb (docs.k3s.io/cli/server)."""


def _read(text: str, kind: Kind) -> Iterator[Flag]:
    for word in text.split():
        name, _, environment = word.rstrip("!").partition("=")
        yield Flag(name, kind, environment, beyond=word.endswith("!"))


def _table(*columns: tuple[str, Kind]) -> Mapping[str, Flag]:
    return {flag.name: flag for text, kind in columns for flag in _read(text, kind)}


_OF_AGENT = _table(
    (AGENT_TEXT, Kind.TEXT), (AGENT_NUMBERS, Kind.NUMBER), (AGENT_SWITCHES, Kind.SWITCH), (AGENT_LISTS, Kind.LIST)
)
_OF_SERVER = _table(
    (SERVER_TEXT, Kind.TEXT), (SERVER_NUMBERS, Kind.NUMBER), (SERVER_SWITCHES, Kind.SWITCH), (SERVER_LISTS, Kind.LIST)
)
FLAGS: Mapping[str, Mapping[str, Flag]] = {AGENT: _OF_AGENT, SERVER: {**_OF_AGENT, **_OF_SERVER}}
"""Command to its flags by name; a server takes every flag of an agent too."""
