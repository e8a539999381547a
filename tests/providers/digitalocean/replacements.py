"""Which inputs make a new resource; the SDK does not say.

Read in terraform-provider-digitalocean v2.99.1 (`ForceNew`); pulumi-digitalocean 4.84.1 is built on a later version.
A lower `version` of a cluster does too (`ForceNewIfChange`), and is not in a table.
"""

from collections.abc import Mapping
from typing import Final

REPLACES: Final[Mapping[str, frozenset[str]]] = {
    # digitalocean/kubernetes/resource_kubernetes_cluster.go, and kubernetes.go for what is below nodePool
    "cluster": frozenset(
        {
            "region",
            "vpcUuid",
            "workerSubnetUuid",
            "clusterSubnet",
            "serviceSubnet",
            "isolatedWorkers",
            "nodePool.size",
            "nodePool.gpuPartitionMode",
        }
    ),
    # digitalocean/kubernetes/resource_kubernetes_node_pool.go
    "node pool": frozenset({"clusterId", "size", "gpuPartitionMode"}),
    # digitalocean/vpc/resource_vpc.go
    "VPC": frozenset({"region", "ipRange"}),
    # digitalocean/nfs/resource_nfs.go
    "NFS share": frozenset({"region", "name", "vpcId"}),
}

UNORDERED: Final[Mapping[str, frozenset[str]]] = {
    "cluster": frozenset({"tags", "nodePool.tags", "nodePool.taints"}),
    "node pool": frozenset({"tags", "taints"}),
}
