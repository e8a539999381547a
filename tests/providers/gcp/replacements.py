"""Which inputs make a new resource, as far as the stand-in's types go; the SDK does not say.

Read as `ForceNew` in terraform-provider-google-beta 93c65b2d (21 August 2026, on the way to 7.46), folders
google-beta/services/{container,compute,resourcemanager}; pulumi-gcp 10.2.0 is built on a later version. A path stands
for itself and for everything below it.
"""

from collections.abc import Mapping
from typing import Final

_NODE_CONFIG = (  # container/node_config.go; machine type, disk, image, labels and taints are changed in place
    "advancedMachineFeatures",
    "localSsdCount",
    "metadata",
    "minCpuPlatform",
    "oauthScopes",
    "preemptible",
    "sandboxConfig",
    "serviceAccount",
    "shieldedInstanceConfig",
    "spot",
)

REPLACES: Final[Mapping[str, frozenset[str]]] = {
    # compute/resource_compute_network.go
    "network": frozenset({"autoCreateSubnetworks", "description", "name", "project"}),
    # compute/resource_compute_subnetwork.go; a wider range is an update, and a narrower one a new subnetwork
    "subnetwork": frozenset({"description", "name", "network", "project", "region"}),
    # compute/resource_compute_router.go
    "router": frozenset({"name", "network", "project", "region"}),
    # compute/resource_compute_router_nat.go
    "NAT": frozenset({"initialNatIps", "name", "project", "region", "router", "type"}),
    # resourcemanager/resource_google_service_account.go
    "service account": frozenset({"accountId", "project"}),
    # resourcemanager, tpgiamresource/resource_iam_member.go: nothing of a member can be changed
    "IAM member": frozenset({"condition", "member", "project", "role"}),
    # container/resource_container_cluster.go
    "cluster": frozenset(
        {
            "clusterIpv4Cidr",
            "datapathProvider",
            "defaultMaxPodsPerNode",
            "description",
            "enableAutopilot",
            "enableKubernetesAlpha",
            "initialNodeCount",
            "ipAllocationPolicy.clusterIpv4CidrBlock",
            "ipAllocationPolicy.clusterSecondaryRangeName",
            "ipAllocationPolicy.servicesIpv4CidrBlock",
            "ipAllocationPolicy.servicesSecondaryRangeName",
            "location",
            "masterAuth.clientCertificateConfig",
            "name",
            "network",
            "networkingMode",
            "nodePools",
            "privateClusterConfig.masterIpv4CidrBlock",
            "privateClusterConfig.privateEndpointSubnetwork",
            "project",
            "subnetwork",
            *(f"nodeConfig.{name}" for name in _NODE_CONFIG),
        }
    ),
    # container/resource_container_node_pool.go
    "node pool": frozenset(
        {
            "cluster",
            "initialNodeCount",
            "location",
            "maxPodsPerNode",
            "name",
            "placementPolicy",
            "project",
            *(f"nodeConfig.{name}" for name in _NODE_CONFIG),
        }
    ),
}

UNORDERED: Final[Mapping[str, frozenset[str]]] = {
    "NAT": frozenset({"subnetworks"}),
    "cluster": frozenset({"masterAuthorizedNetworksConfig.cidrBlocks", "nodeConfig.oauthScopes"}),
    "node pool": frozenset({"nodeConfig.oauthScopes"}),
}
