"""What Google refuses, in its own words where they are known, each row with where that was read.

`must not happen` rows are stricter than Google: where the real cloud makes something that cannot work, a test had
better end at once and name what is missing.
"""

from dataclasses import dataclass
from typing import Any, Final

from tests.providers.refused import RefusedError

PROVIDER = "terraform-provider-google-beta 93c65b2d (August 2026)"
SANDBOX = "cloud.google.com/kubernetes-engine/docs/how-to/sandbox-pods"
STRICTER = "must not happen: stricter than Google"


@dataclass(frozen=True)
class Refusal:
    """One refusal; the message may have placeholders."""

    code: int
    """Status of Google's API; 0 where the provider refuses before it asks."""
    message: str
    source: str

    def error(self, **values: Any) -> RefusedError:
        """Return the error as the provider words it."""
        text = self.message.format(**values)
        return RefusedError(f"googleapi: Error {self.code}: {text}" if self.code else text)


NOT_FOUND: Final = Refusal(404, "The resource '{id}' was not found", "google.golang.org/api googleapi.Error")
EXISTS: Final = Refusal(409, "Already exists: {id}", f"{PROVIDER} container/resource_container_node_pool.go")
IN_USE: Final = Refusal(
    400, "The {kind} resource '{id}' is already being used by '{user}'", "terraform-provider-google#1484 and its like"
)
RANGE_CONFLICTS: Final = Refusal(
    400,
    "Invalid IPCidrRange: {range} conflicts with existing subnetwork '{other}'",
    "terraform-google-modules/terraform-google-network#20",
)
OWN_RANGES_CONFLICT: Final = Refusal(
    400,
    "Invalid IPCidrRange: {range} conflicts with another range of the same subnetwork",
    "terraform-google-modules/terraform-google-network#20",
)
RANGE_CHANGES: Final = Refusal(
    400,
    "Cannot add and remove secondary IP ranges in the same request",
    "hashicorp/terraform-provider-google#2570",
)
NO_SUCH_RANGE: Final = Refusal(
    400,
    "Services or pods secondary range '{name}' does not exist in subnetwork '{subnetwork}'",
    "terraform-google-modules/terraform-google-kubernetes-engine#1949 and the reference of IpAllocationPolicy",
)
SAME_RANGE_TWICE: Final = Refusal(
    400,
    "Pod secondary range name ({name}) should not be the same as service secondary range name.",
    "gruntwork-io/terraform-google-network#60",
)
WRONG_REGION: Final = Refusal(
    400, "Subnetwork '{subnetwork}' is not in the region of '{location}'", "reference of Cluster.subnetwork"
)
UNKNOWN_VERSION: Final = Refusal(
    400, 'Master version "{version}" is unsupported.', "pulumi-gcp 10.2.0, Cluster.min_master_version"
)
NO_FIRST_NODE: Final = Refusal(
    400, "Cluster.initial_node_count must be greater than zero.", "pulumi-gcp 10.2.0, Cluster.initial_node_count"
)
DATAPATH_AND_POLICY: Final = Refusal(
    400,
    "Enabling NetworkPolicy for clusters with DatapathProvider=ADVANCED_DATAPATH is not allowed.",
    "known-faults B073",
)
PROTECTED: Final = Refusal(
    0,
    "Cannot destroy cluster because deletion_protection is set to true. Set it to false to proceed with cluster "
    "deletion.",
    f"{PROVIDER} container/resource_container_cluster.go",
)
SANDBOX_IMAGE: Final = Refusal(
    400, "GKE Sandbox needs the image type COS_CONTAINERD", "GoogleCloudPlatform/magic-modules#1934"
)
SANDBOX_ALONE: Final = Refusal(
    400, "GKE Sandbox cannot be enabled when there is no other node pool in the cluster", SANDBOX
)
SANDBOX_ON_DEFAULT: Final = Refusal(
    400,
    "GKE Sandbox cannot be enabled on the default node pool",
    f"{SANDBOX}; terraform-google-modules/terraform-google-kubernetes-engine#240",
)
SANDBOX_NESTED: Final = Refusal(
    400, "GKE Sandbox and nested virtualization cannot be on one node pool", "facts/targets.md C.4, inferred there"
)
NOT_NESTED: Final = Refusal(
    400, "Nested virtualization is not supported for machine type {machine}", "facts/targets.md C.2"
)
UNKNOWN_MACHINE: Final = Refusal(
    400, "Machine type with name '{machine}' does not exist in zone '{location}'", "reference of NodeConfig.machineType"
)
UNKNOWN_ACCOUNT: Final = Refusal(
    400, 'Service account "{account}" does not exist.', "reference of NodeConfig.serviceAccount"
)
LIMITS_MIXED: Final = Refusal(
    400,
    "total limits cannot be used together with limits per zone",
    "pulumi-gcp 10.2.0, NodePoolAutoscaling.total_min_node_count",
)
COUNT_AND_LIMITS: Final = Refusal(
    400,
    "node_count should not be used alongside autoscaling",
    f"pulumi-gcp 10.2.0, NodePool.node_count. {STRICTER}: the two undo each other's work for ever",
)
VERSION_AND_CHANNEL: Final = Refusal(
    400,
    "version and auto_upgrade fight each other",
    f"pulumi-gcp 10.2.0, NodePool.version. {STRICTER}",
)
NO_WAY_OUT: Final = Refusal(
    400,
    "nodes without public addresses, and no NAT for subnetwork '{subnetwork}': no image could be pulled",
    f"known-faults B093. {STRICTER}",
)
ACCOUNT_WITHOUT_ROLE: Final = Refusal(
    400,
    "service account '{account}' has no role in the project: nodes would not register",
    f"reference of roles/container.defaultNodeServiceAccount. {STRICTER}",
)
UNENFORCED: Final = Refusal(
    400,
    "datapath LEGACY_DATAPATH enforces no NetworkPolicy",
    f"known-faults B073. {STRICTER}: Google makes such a cluster without a word",
)
TOKENS_SHUT_OUT: Final = Refusal(
    400,
    "enable_k8s_tokens_via_dns is not true: the DNS endpoint answers 401 to ServiceAccounts, whom the gate acts as",
    f"terraform-google-modules/terraform-google-kubernetes-engine#2578, provider-upjet-gcp#988. {STRICTER}",
)
NO_NODE: Final = Refusal(
    400,
    "autoscaling without initial_node_count: the pool has no node, whatever its minimum, until a pod asks for one",
    f"hashicorp/terraform-provider-google#8270, #11594. {STRICTER}",
)
MORE_THAN_THE_MOST: Final = Refusal(
    400,
    "initial_node_count {count} in each of {zones} zones is more than total_max_node_count {most}",
    f"pulumi-gcp 10.2.0, NodePool.initial_node_count: nodes per zone. {STRICTER}",
)
NO_PRIVATE_CHOICE: Final = Refusal(
    0,
    '"private_endpoint_subnetwork": conflicts with master_ipv4_cidr_block',
    "reference of PrivateClusterConfig",
)
