"""Command lines and configuration files of what runs on every node."""

import json
from typing import Any

import yaml

from local.cluster import addresses
from local.cluster.addresses import Node
from local.cluster.credentials import CREDENTIALS
from local.cluster.family import Families, joined
from local.cluster.layout import CONFIG, NodeLayout, Taint
from local.machines.init import STATE

SOCKET = "/run/containerd/containerd.sock"
PLUGINS = "/usr/lib/cni"
FALSE_HANDLER = "sandbox"
"""A handler of containerd that is runc, whatever a RuntimeClass that names it is called."""
VOLUMES = "/var/lib/rakazo-volumes"
"""Where local-path-provisioner keeps persistent volumes on a node."""

POD_PROCESSES = 4096
"""Processes and threads that one pod may have."""

FOLDERS = {
    "/var/lib/kubelet": "kubelet",
    "/var/lib/containerd": "containerd",
    "/var/log/pods": "pod-logs",
    "/var/log/containers": "container-logs",
    VOLUMES: "volumes",
}
"""What outlives a restart of the machine; the rest, such as handed-out pod addresses, must not."""


def containerd_config(pause: str, layout: NodeLayout) -> str:
    """Render containerd's configuration; `pause` is the reference of the image that holds a pod's namespaces."""
    handlers = "".join(_HANDLER[program].format(name=name) for name, program in layout.handlers.items())
    return f"""\
version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.devmapper"]

[grpc]
  address = "{SOCKET}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{pause}"
  # The kernel refuses lower scores to a root without CAP_SYS_RESOURCE.
  restrict_oom_score_adj = true
  enable_selinux = false
  disable_apparmor = true

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "{PLUGINS}"
    conf_dir = "/etc/cni/net.d"

  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"

    # A handler whose name promises what it does not do: what the proof of the kernel has to find.
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.{FALSE_HANDLER}]
      runtime_type = "io.containerd.runc.v2"
{handlers}"""


_HANDLER = {
    "runc": """
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.{name}]
      runtime_type = "io.containerd.runc.v2"
""",
    "runsc": f"""
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.{{name}}]
      runtime_type = "io.containerd.runsc.v1"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.{{name}}.options]
        TypeUrl = "io.containerd.runsc.v1.options"
        ConfigPath = "{CONFIG}/runsc.toml"
""",
}


def runsc_config(runsc: str) -> str:
    """Render the configuration of gVisor's shim; `runsc` is the path of its program."""
    return f"""\
binary_name = "{runsc}"

[runsc_config]
  platform = "systrap"
"""


def network_config(node: Node, families: Families) -> str:
    """Render the CNI configuration: a routed link per pod, so that every packet passes the node's policy rules.

    Addresses are remembered in memory: after a restart of the machine no pod holds one.
    """
    content: dict[str, Any] = {
        "cniVersion": "1.0.0",
        "name": "pods",
        "plugins": [
            {
                "type": "ptp",
                "mtu": 1500,
                "ipam": {
                    "type": "host-local",
                    "dataDir": "/run/cni/networks",
                    "ranges": [[{"subnet": family.node_pods[node.name]}] for family in families],
                    "routes": [{"dst": family.everywhere} for family in families],
                },
            },
            {"type": "portmap", "capabilities": {"portMappings": True}},
        ],
    }
    return json.dumps(content, indent=2)


def kubelet_config(node: Node, layout: NodeLayout, group: str) -> str:
    """Render kubelet's configuration; `group` is the node's own control group, with a leading slash."""
    content: dict[str, Any] = {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "authentication": {
            "anonymous": {"enabled": False},
            "webhook": {"enabled": True},
            "x509": {"clientCAFile": f"{CREDENTIALS}/ca.crt"},
        },
        "authorization": {"mode": "Webhook"},
        "tlsCertFile": f"{CREDENTIALS}/kubelet.crt",
        "tlsPrivateKeyFile": f"{CREDENTIALS}/kubelet.key",
        "clusterDNS": [addresses.DNS_SERVICE],
        "clusterDomain": addresses.DOMAIN,
        "containerRuntimeEndpoint": f"unix://{SOCKET}",
        "resolvConf": "/etc/resolv.conf",
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": group,
        "cgroupsPerQOS": True,
        "enforceNodeAllocatable": [],
        "failCgroupV1": False,
        "failSwapOn": False,
        "oomScoreAdj": 0,
        "localStorageCapacityIsolation": True,
        "volumePluginDir": f"{STATE}/volume-plugins",
        "podLogsDir": "/var/log/pods",
        # The disk is the developer's: full is full, but 90 % used is no reason to evict pods.
        "evictionHard": {"memory.available": "50Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
        "imageGCHighThresholdPercent": 100,
        "imageGCLowThresholdPercent": 99,
        "imageMinimumGCAge": "24h",
        "maxPods": 110,
        # Enough for a desktop, and an end to a pod that forks without one.
        "podPidsLimit": POD_PROCESSES,
        "registerNode": True,
        "registerWithTaints": _taints(node, layout),
        "serializeImagePulls": False,
        "nodeStatusUpdateFrequency": "5s",
        "shutdownGracePeriod": "0s",
        "syncFrequency": "30s",
    }
    return yaml.safe_dump(content, sort_keys=False)


def _taints(node: Node, layout: NodeLayout) -> list[dict[str, str]]:
    pool = [Taint(key=addresses.POOL_LABEL, value=node.pool)] if node.tainted and layout.pool_taint else []
    return [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in (*pool, *layout.taints)]


def kube_proxy_config(node: Node, families: Families) -> str:
    """Render kube-proxy's configuration; it leaves connection tracking's sizes, which are the host's, alone."""
    content: dict[str, Any] = {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "clientConnection": {"kubeconfig": f"{CREDENTIALS}/kube-proxy.kubeconfig"},
        "clusterCIDR": joined(family.pods for family in families),
        "hostnameOverride": node.name,
        "mode": "iptables",
        "oomScoreAdj": 0,
        "conntrack": {"maxPerCore": 0, "min": 0},
        "iptables": {"minSyncPeriod": "0s"},
        "healthzBindAddress": "127.0.0.1:10256",
        "metricsBindAddress": "127.0.0.1:10249",
    }
    return yaml.safe_dump(content, sort_keys=False)


def kubelet(node: Node, layout: NodeLayout, families: Families) -> list[str]:
    """Kubelet's command line."""
    labels = {addresses.POOL_LABEL: node.pool, **layout.labels}
    return [
        "kubelet",
        f"--config={CONFIG}/kubelet.yaml",
        f"--kubeconfig={CREDENTIALS}/kubelet.kubeconfig",
        f"--hostname-override={node.name}",
        f"--node-ip={joined(family.node_addresses[node.name] for family in families)}",
        f"--node-labels={','.join(f'{key}={value}' for key, value in labels.items())}",
        "--root-dir=/var/lib/kubelet",
        "--cert-dir=/var/lib/kubelet/pki",
    ]


def containerd(layout: NodeLayout) -> list[str]:
    """Containerd's command line, and before it what starts it again."""
    return [*layout.containerd_under, "containerd", f"--config={layout.containerd_config}", "--log-level=warn"]


def kube_proxy() -> list[str]:
    """kube-proxy's command line."""
    return ["kube-proxy", f"--config={CONFIG}/kube-proxy.yaml"]
