"""What DigitalOcean refuses, each row with where that was read; the words are its own where they are known."""

from dataclasses import dataclass
from typing import Any, Final

from tests.providers.refused import RefusedError

PROVIDER = "digitalocean/terraform-provider-digitalocean v2.99.1"
DOCS = "docs.digitalocean.com"


@dataclass(frozen=True)
class Refusal:
    """One refusal; the message may have placeholders."""

    status: int
    """Of the API's answer; 0 where the provider refuses before it asks."""
    message: str
    source: str

    def error(self, **values: Any) -> RefusedError:
        """Return the error as the provider words it."""
        text = self.message.format(**values)
        return RefusedError(f"{self.status} {text}" if self.status else text)


VERSION_GONE: Final = Refusal(
    422, "validation error: invalid version slug", "terraform-provider-digitalocean#521 (B094)"
)
SIZE_REFUSED: Final = Refusal(
    422, "validation error: invalid droplet size", "terraform-provider-digitalocean#827, inlets-operator#111 (B099)"
)
REGION_REFUSED: Final = Refusal(422, "validation error: invalid region", f"{DOCS}, Kubernetes availability")
NAME_USED: Final = Refusal(422, "a cluster with this name already exists", f"{DOCS}, API reference, create a cluster")
POOL_NAME_USED: Final = Refusal(
    422, "node pool name must be unique within the cluster", f"{DOCS}, API reference, add a node pool"
)
HA_STAYS: Final = Refusal(422, "high availability cannot be disabled", "docstring of KubernetesCluster.ha (B097)")
NO_DOWNGRADE: Final = Refusal(
    422, "cannot downgrade a cluster", f"{PROVIDER} kubernetes/resource_kubernetes_cluster.go"
)
ONE_MINOR: Final = Refusal(422, "can only upgrade to the next minor version", f"{DOCS}, upgrade a cluster")
RANGE_TAKEN: Final = Refusal(
    422, "this range overlaps with another VPC or cluster network", f"{DOCS}, VPC limits; create a VPC-native cluster"
)
RANGE_RESERVED: Final = Refusal(422, "this range is reserved", f"{DOCS}, VPC limits")
RANGE_SIZE: Final = Refusal(422, "a VPC is between /16 and /24 and private", "docstring of Vpc.ip_range")
NO_VPC: Final = Refusal(422, "vpc_uuid: no such VPC in this region", f"{DOCS}, API reference, create a cluster")
VPC_HAS_MEMBERS: Final = Refusal(
    409,
    "Can not delete VPC with members",
    "terraform-provider-digitalocean#488, #1368, #1424, of clusters that are gone too; it asks again for two minutes",
)
NO_CLUSTER: Final = Refusal(
    0, "Unable to find cluster with name: {name}", f"{PROVIDER} datasource_kubernetes_cluster.go"
)
NOT_FOUND: Final = Refusal(404, "{kind} not found", f"{DOCS}, API reference")
NO_NODES: Final = Refusal(422, "a cluster needs at least one node", f"{DOCS}, create clusters")
NODE_COUNT: Final = Refusal(422, "min_nodes must not be larger than max_nodes", f"{DOCS}, enable autoscaling")
DROPLET_LIMIT: Final = Refusal(422, "droplet limit exceeded", f"{DOCS}, Kubernetes limits")
SHARE_SHRINKS: Final = Refusal(0, "share `size` can only be expanded and not shrunk", f"{PROVIDER} nfs/resource_nfs.go")
SHARE_TIER: Final = Refusal(422, "performance tier cannot be downgraded", "docstring of Nfs.performance_tier")
