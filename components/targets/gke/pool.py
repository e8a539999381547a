"""A pool of machines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pulumi
import pulumi_gcp as gcp

from components.targets.gke.names import labels
from components.targets.gke.node_account import SCOPES, NodeAccount

Isolation = Literal["gvisor", "kata"]
IMAGE, NESTING_IMAGE = "COS_CONTAINERD", "UBUNTU_CONTAINERD"
"""Google's own system is read-only where Kata puts its programs."""


@dataclass(frozen=True, kw_only=True)
class PoolArgs:
    """Inputs of :func:`make_pool`."""

    stack: str
    key: str
    """Name of the pool, and value of its label."""
    cluster: gcp.container.Cluster
    account: NodeAccount
    machine_type: str
    disk_gb: int
    fewest: int
    most: int | None = None
    """Most nodes in all zones together; None: always `fewest` in each zone."""
    zones: int
    """How many the pool's nodes are spread over."""
    node_labels: Mapping[str, str]
    taints: Sequence[tuple[str, str]]
    """Key and value; each keeps away what does not tolerate it."""
    isolation: Isolation | None = None
    """What its machines bring for it: GKE Sandbox, or virtualization."""
    provider: gcp.Provider
    after: Sequence[pulumi.Resource]


def make_pool(name: str, args: PoolArgs, parent: pulumi.Resource) -> gcp.container.NodePool:
    """Declare a pool of private machines, repaired and upgraded by Google one by one."""
    container, scaled = gcp.container, args.most is not None
    limits = container.NodePoolAutoscalingArgs(total_min_node_count=args.fewest, total_max_node_count=args.most)
    return container.NodePool(
        name,
        name=args.key,
        cluster=args.cluster.id,
        autoscaling=limits if scaled else None,
        node_count=None if scaled else args.fewest,
        # Not said, there is none whatever the limits say: the autoscaler adds nodes for pods alone. One is there in
        # the beginning even where none has to stay, for the proof of the first deployment.
        initial_node_count=max(1, args.fewest // args.zones) if scaled else None,
        # The release channel decides about versions; one that is written here would fight it.
        management=container.NodePoolManagementArgs(auto_repair=True, auto_upgrade=True),
        upgrade_settings=container.NodePoolUpgradeSettingsArgs(max_surge=1, max_unavailable=0),
        network_config=container.NodePoolNetworkConfigArgs(enable_private_nodes=True),
        node_config=_node_config(args),
        opts=pulumi.ResourceOptions(
            parent=parent,
            provider=args.provider,
            depends_on=list(args.after),
            # Later it says nothing, and another number would be another pool.
            ignore_changes=["initialNodeCount"] if scaled else None,
        ),
    )


def _node_config(args: PoolArgs) -> gcp.container.NodePoolNodeConfigArgs:
    container = gcp.container
    sandbox = container.NodePoolNodeConfigSandboxConfigArgs(type="GVISOR")
    nesting = container.NodePoolNodeConfigAdvancedMachineFeaturesArgs(
        threads_per_core=2, enable_nested_virtualization=True
    )
    return container.NodePoolNodeConfigArgs(
        machine_type=args.machine_type,
        disk_size_gb=args.disk_gb,
        disk_type="pd-balanced",
        image_type=NESTING_IMAGE if args.isolation == "kata" else IMAGE,
        sandbox_config=sandbox if args.isolation == "gvisor" else None,
        advanced_machine_features=nesting if args.isolation == "kata" else None,
        service_account=args.account.email,
        oauth_scopes=list(SCOPES),
        labels=dict(args.node_labels),
        taints=[
            container.NodePoolNodeConfigTaintArgs(key=key, value=value, effect="NO_SCHEDULE")
            for key, value in args.taints
        ]
        or None,
        resource_labels=labels(args.stack),
        # Pods get the metadata server of Workload Identity, and never the machine's own with the account's tokens.
        workload_metadata_config=container.NodePoolNodeConfigWorkloadMetadataConfigArgs(mode="GKE_METADATA"),
        shielded_instance_config=container.NodePoolNodeConfigShieldedInstanceConfigArgs(
            enable_secure_boot=True, enable_integrity_monitoring=True
        ),
        kubelet_config=container.NodePoolNodeConfigKubeletConfigArgs(insecure_kubelet_readonly_port_enabled="FALSE"),
    )
