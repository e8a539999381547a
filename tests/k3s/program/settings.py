"""What a node is, from its configuration: typed, defaulted and free of contradictions."""

import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.k3s.program.configuration import Values
from tests.k3s.program.flags import IDENTICAL
from tests.k3s.program.paths import DATA, KUBECONFIG, Layout
from tests.k3s.program.refusal import Refusal

COMPONENTS = ("coredns", "servicelb", "traefik", "local-storage", "metrics-server", "runtimes")
"""What `disable` may name (docs.k3s.io/cli/server)."""

MISSING = ("traefik", "servicelb")
"""k3s would deploy these; the stand-in has none, so a cluster that wants them is refused."""

BACKENDS = ("none", "vxlan", "host-gw", "wireguard-native")
PROVIDERS = ("aescbc", "secretbox")


@dataclass(frozen=True, kw_only=True)
class NodeSettings:
    """What a server and an agent have in common."""

    layout: Layout
    name: str
    address: str
    """Empty: the first address of the link with the default route, which is known later."""
    external_addresses: tuple[str, ...]
    server_url: str
    token: str
    """Short or full; empty: none was given."""
    labels: tuple[str, ...]
    taints: tuple[str, ...]
    kubelet_arguments: tuple[str, ...]
    kube_proxy_arguments: tuple[str, ...]
    flannel_interface: str
    pause_image: str
    """Empty: the one among the imported images."""
    snapshotter: str
    default_runtime: str
    resolver: str
    balancer_port: int
    protects_kernel_defaults: bool
    debug: bool


@dataclass(frozen=True, kw_only=True)
class ClusterSettings:
    """What holds for every node of a cluster; agents are told by a server."""

    pods: str
    services: str
    dns_service: str
    domain: str
    flannel_backend: str
    enforces_network_policies: bool
    has_kube_proxy: bool


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """What a server has besides."""

    cluster: ClusterSettings
    cluster_init: bool
    advertised: str
    """Empty: the node's external address, else its address."""
    alternative_names: tuple[str, ...]
    disabled: tuple[str, ...]
    secrets_provider: str
    """Empty: secrets are stored as they are."""
    agent_token: str
    node_ports: str
    storage: str
    kubeconfig: Path
    kubeconfig_mode: int
    arguments: Mapping[str, tuple[str, ...]]
    """Component to the flags that it is given besides ours."""
    snapshots: Path
    snapshot_name: str
    s3: Mapping[str, Any]
    """Every etcd-s3 flag that is set, without the prefix; `enabled` is the flag etcd-s3 itself."""
    reset: bool
    restore: str
    identical: Mapping[str, Any]
    """What has to be the same on every server, as the other servers compare it."""


def token_of(values: Values, name: str = "token") -> str:
    """Return a token from its flag or from the file that the flag with `-file` names; empty: neither is given."""
    if values.get(name):
        return str(values[name]).strip()
    file = values.get(f"{name}-file")
    if not file:
        return ""
    try:
        text = Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise Refusal(f"{name}-file: cannot be read: {error}") from error
    if not text:
        raise Refusal(f"{name}-file: {file} is empty")
    return text


def node_settings(values: Values) -> NodeSettings:
    """Return what both commands have in common; Refusal names what is wrong."""
    addresses = _split(values.get("node-ip", []))
    if any(ipaddress.ip_address(address).version != 4 for address in addresses):
        raise Refusal("node-ip: the stand-in for k3s has IPv4 only")
    return NodeSettings(
        layout=Layout(Path(values.get("data-dir", DATA))),
        name=values.get("node-name") or socket.gethostname().lower(),
        address=addresses[0] if addresses else "",
        external_addresses=_split(values.get("node-external-ip", [])),
        server_url=values.get("server", ""),
        token=token_of(values),
        labels=tuple(values.get("node-label", [])),
        taints=tuple(values.get("node-taint", [])),
        kubelet_arguments=tuple(values.get("kubelet-arg", [])),
        kube_proxy_arguments=tuple(values.get("kube-proxy-arg", [])),
        flannel_interface=values.get("flannel-iface", ""),
        pause_image=values.get("pause-image", ""),
        snapshotter=values.get("snapshotter", "overlayfs"),
        default_runtime=values.get("default-runtime", ""),
        resolver=values.get("resolv-conf", "/etc/resolv.conf"),
        balancer_port=values.get("lb-server-port", 6444),
        protects_kernel_defaults=values.get("protect-kernel-defaults", False),
        debug=values.get("debug", False),
    )


def server_settings(values: Values) -> ServerSettings:
    """Return what a server has besides; Refusal names what is wrong."""
    disabled = _split(values.get("disable", []))
    for entry in disabled:
        if entry not in COMPONENTS:
            raise Refusal(f"disable: {entry} is no packaged component; there are {', '.join(COMPONENTS)}")
    for component in MISSING:
        if component not in disabled:
            raise Refusal(f"disable: must name {component}: k3s would deploy it, the stand-in for k3s has none")
    layout = Layout(Path(values.get("data-dir", DATA)))
    cluster = _cluster(values)
    return ServerSettings(
        cluster=cluster,
        cluster_init=values.get("cluster-init", False),
        advertised=values.get("advertise-address", ""),
        alternative_names=_split(values.get("tls-san", [])),
        disabled=disabled,
        secrets_provider=_secrets_provider(values),
        agent_token=token_of(values, "agent-token"),
        node_ports=values.get("service-node-port-range", "30000-32767"),
        storage=values.get("default-local-storage-path", str(layout.storage)),
        kubeconfig=Path(values.get("write-kubeconfig", KUBECONFIG)),
        kubeconfig_mode=_mode(values.get("write-kubeconfig-mode", "0600")),
        arguments={
            component: tuple(values.get(f"{component}-arg", []))
            for component in ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd")
        },
        snapshots=Path(values.get("etcd-snapshot-dir", layout.snapshots)),
        snapshot_name=values.get("etcd-snapshot-name", "etcd-snapshot"),
        s3=s3_settings(values),
        reset=values.get("cluster-reset", False),
        restore=values.get("cluster-reset-restore-path", ""),
        identical=_identical(values, cluster, disabled),
    )


def s3_settings(values: Values) -> Mapping[str, Any]:
    """Return the etcd-s3 flags that are set, without their prefix, and whether S3 is `enabled`."""
    found = {name.removeprefix("etcd-s3-"): value for name, value in values.items() if name.startswith("etcd-s3-")}
    return {"enabled": values.get("etcd-s3", False), **found}


def _cluster(values: Values) -> ClusterSettings:
    services = _network("service-cidr", values.get("service-cidr", ["10.43.0.0/16"]))
    dns = _split(values.get("cluster-dns", [str(services[10])]))[0]
    if ipaddress.ip_address(dns) not in services:
        raise Refusal(f"cluster-dns: {dns} lies outside of service-cidr {services}")
    backend = values.get("flannel-backend", "vxlan")
    if backend not in BACKENDS:
        raise Refusal(f"flannel-backend: {backend} is none of {', '.join(BACKENDS)}")
    if backend == "wireguard-native":
        raise Refusal("flannel-backend: the stand-in for k3s cannot do wireguard-native, this kernel has no WireGuard")
    return ClusterSettings(
        pods=str(_network("cluster-cidr", values.get("cluster-cidr", ["10.42.0.0/16"]))),
        services=str(services),
        dns_service=dns,
        domain=values.get("cluster-domain", "cluster.local"),
        flannel_backend=backend,
        enforces_network_policies=not values.get("disable-network-policy", False),
        has_kube_proxy=not values.get("disable-kube-proxy", False),
    )


def _identical(values: Values, cluster: ClusterSettings, disabled: tuple[str, ...]) -> Mapping[str, Any]:
    effective = {
        "agent-token": token_of(values, "agent-token"),
        "cluster-cidr": cluster.pods,
        "cluster-dns": cluster.dns_service,
        "cluster-domain": cluster.domain,
        "egress-selector-mode": values.get("egress-selector-mode", "agent"),
        "flannel-backend": cluster.flannel_backend,
        "secrets-encryption-provider": values.get("secrets-encryption-provider", "aescbc"),
        "service-cidr": cluster.services,
        "disable=servicelb": "servicelb" in disabled,
    }
    return {**{name: values.get(name, False) for name in IDENTICAL}, **effective}


def _secrets_provider(values: Values) -> str:
    provider = values.get("secrets-encryption-provider", "aescbc")
    if provider not in PROVIDERS:
        raise Refusal(f"secrets-encryption-provider: {provider} is none of {', '.join(PROVIDERS)}")
    return provider if values.get("secrets-encryption", False) else ""


def _network(flag: str, given: list[str]) -> ipaddress.IPv4Network:
    ranges = _split(given)
    try:
        return ipaddress.IPv4Network(ranges[0]) if len(ranges) == 1 else ipaddress.IPv4Network(",".join(ranges))
    except ValueError as error:
        raise Refusal(f"{flag}: the stand-in for k3s takes one IPv4 range, not {', '.join(ranges)}") from error


def _mode(text: str) -> int:
    try:
        return int(text, 8)
    except ValueError as error:
        raise Refusal(f"write-kubeconfig-mode: {text} is no octal mode such as 0600") from error


def _split(values: list[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())
