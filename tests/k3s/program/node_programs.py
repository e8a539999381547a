"""Command lines and configuration of what runs on every node, with k3s' defaults."""

from dataclasses import dataclass
from typing import Any

import yaml

from tests.k3s.program.paths import CONTAINERD_SOCKET, CONTAINERD_STATE, TOOLS, Layout
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.settings import ClusterSettings, NodeSettings

RAN_CONFIG = CONTAINERD_STATE.with_name("containerd.toml")
"""What Debian's containerd is started with; the file that k3s renders is beside its interface and is kept as it is."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """A node that knows its address and its cluster."""

    settings: NodeSettings
    cluster: ClusterSettings
    address: str

    @property
    def layout(self) -> Layout:
        """Where its files are."""
        return self.settings.layout

    def kubelet_config(self) -> str:
        """Render kubelet's defaults; files beside it in the same folder override them, as with k3s."""
        agent = self.layout.agent
        content: dict[str, Any] = {
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "authentication": {
                "anonymous": {"enabled": False},
                "webhook": {"enabled": True},
                "x509": {"clientCAFile": f"{agent}/client-ca.crt"},
            },
            "authorization": {"mode": "Webhook"},
            "readOnlyPort": 0,
            "tlsCertFile": f"{agent}/serving-kubelet.crt",
            "tlsPrivateKeyFile": f"{agent}/serving-kubelet.key",
            "clusterDNS": [self.cluster.dns_service],
            "clusterDomain": self.cluster.domain,
            "containerRuntimeEndpoint": f"unix://{CONTAINERD_SOCKET}",
            "resolvConf": self.settings.resolver,
            "providerID": f"k3s://{self.settings.name}",
            "protectKernelDefaults": self.settings.protects_kernel_defaults,
            "registerWithTaints": [_taint(taint) for taint in self.settings.taints],
            "serializeImagePulls": False,
            "cgroupDriver": "cgroupfs",
            # What the machines of the tests need: the disk and the kernel are the host's.
            "enforceNodeAllocatable": [],
            "failCgroupV1": False,
            "failSwapOn": False,
            "oomScoreAdj": 0,
            "evictionHard": {"memory.available": "50Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
            # An image that was removed could not be had again.
            "imageGCHighThresholdPercent": 100,
            "imageGCLowThresholdPercent": 99,
            "imageMinimumGCAge": "24h",
        }
        return yaml.safe_dump(content, sort_keys=False)

    def kubelet(self) -> list[str]:
        """Kubelet's command line."""
        labels = [f"--node-labels={','.join(self.settings.labels)}"] if self.settings.labels else []
        return [
            f"{TOOLS}/kubelet",
            f"--config-dir={self.layout.kubelet_config.parent}",
            f"--kubeconfig={self.layout.agent}/kubelet.kubeconfig",
            f"--hostname-override={self.settings.name}",
            f"--node-ip={self.address}",
            "--root-dir=/var/lib/kubelet",
            f"--cert-dir={self.layout.agent}/pki",
            *labels,
            *(f"--{argument}" for argument in self.settings.kubelet_arguments),
        ]

    def kube_proxy(self) -> list[str]:
        """kube-proxy's; it leaves connection tracking's sizes, which are the host's, alone."""
        return [
            f"{TOOLS}/kube-proxy",
            f"--kubeconfig={self.layout.agent}/kubeproxy.kubeconfig",
            f"--cluster-cidr={self.cluster.pods}",
            f"--hostname-override={self.settings.name}",
            "--proxy-mode=iptables",
            "--oom-score-adj=0",
            "--conntrack-max-per-core=0",
            "--healthz-bind-address=127.0.0.1:10256",
            "--metrics-bind-address=127.0.0.1:10249",
            *(f"--{argument}" for argument in self.settings.kube_proxy_arguments),
        ]

    def kube_router(self, node_ports: str) -> list[str]:
        """kube-router's, for network policies only; k3s has it compiled in."""
        return [
            f"{TOOLS}/kube-router",
            f"--kubeconfig={self.layout.agent}/k3scontroller.kubeconfig",
            "--run-firewall=true",
            "--run-router=false",
            "--run-service-proxy=false",
            "--run-loadbalancer=false",
            "--enable-ipv6=false",
            "--health-port=0",
            f"--hostname-override={self.settings.name}",
            f"--service-cluster-ip-range={self.cluster.services}",
            f"--service-node-port-range={node_ports}",
        ]


def containerd() -> list[str]:
    """Containerd's command line."""
    return ["containerd", f"--config={RAN_CONFIG}", "--log-level=info"]


def _taint(text: str) -> dict[str, str]:
    """Turn key=value:Effect or key:Effect into what kubelet's configuration wants."""
    body, colon, effect = text.rpartition(":")
    key, _, value = body.partition("=")
    if not colon or not key or effect not in ("NoSchedule", "PreferNoSchedule", "NoExecute"):
        raise Refusal(f"node-taint: {text} is not key=value:Effect with NoSchedule, PreferNoSchedule or NoExecute")
    return {"key": key, "value": value, "effect": effect}
