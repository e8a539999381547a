"""What AWS offers: a table for tests, not a price list."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class InstanceType:
    """One instance type. Sizes: AWS' pages on M7i, M8i, M6a, M7g."""

    cpus: int
    memory_gb: int
    architecture: str = "x86_64"
    features: tuple[str, ...] = ()
    metal: bool = False


NESTED: Final = ("nested-virtualization",)
TYPES: Final[Mapping[str, InstanceType]] = {
    "m7i.large": InstanceType(2, 8, features=NESTED),
    "m7i.xlarge": InstanceType(4, 16, features=NESTED),
    "m7i.2xlarge": InstanceType(8, 32, features=NESTED),
    "m7i.4xlarge": InstanceType(16, 64, features=NESTED),
    "m8i.2xlarge": InstanceType(8, 32, features=NESTED),
    "m6a.2xlarge": InstanceType(8, 32),
    "m7g.2xlarge": InstanceType(8, 32, architecture="arm64"),
    "m5.metal": InstanceType(96, 384, metal=True),
}
VERSIONS: Final[Mapping[str, tuple[str, str]]] = {
    # docs.aws.amazon.com, EKS, Kubernetes versions, November 2026: end of standard support, state. The ends of 1.36 and
    # 1.37 were not read anywhere, they are only late enough.
    "1.33": ("2026-07-29", "EXTENDED_SUPPORT"),
    "1.34": ("2026-12-02", "STANDARD_SUPPORT"),
    "1.35": ("2027-03-27", "STANDARD_SUPPORT"),
    "1.36": ("2027-08-01", "STANDARD_SUPPORT"),
    "1.37": ("2027-12-01", "STANDARD_SUPPORT"),
}
POLICIES: Final = frozenset(
    {
        "AmazonEKSClusterPolicy",
        "AmazonEKSWorkerNodePolicy",
        "AmazonEKS_CNI_Policy",
        "AmazonEC2ContainerRegistryPullOnly",
        "service-role/AmazonEBSCSIDriverPolicy",
        "service-role/AmazonEFSCSIDriverPolicy",
    }
)
"""AWS' own policies, as they are called below `policy/` (docs.aws.amazon.com, managed policies reference)."""
ADDONS: Final[Mapping[str, frozenset[str]]] = {
    # The keys of each add-on's configuration schema that are used here: charts of aws/amazon-vpc-cni-k8s (values.yaml,
    # templates/eniconfig.yaml), kubernetes-sigs/aws-ebs-csi-driver and aws-efs-csi-driver (values.yaml)
    "vpc-cni": frozenset({"enableNetworkPolicy", "env", "eniConfig"}),
    "kube-proxy": frozenset(),
    "eks-pod-identity-agent": frozenset(),
    "coredns": frozenset({"replicaCount"}),
    "aws-ebs-csi-driver": frozenset({"controller", "node"}),
    "aws-efs-csi-driver": frozenset({"controller", "node"}),
}
NEED_NODES: Final = frozenset({"coredns", "aws-ebs-csi-driver", "aws-efs-csi-driver"})
"""Add-ons with a Deployment, which is degraded until there is a node for it."""


@dataclass
class Catalogue:
    """The offer of one test, which may take out of it what it likes."""

    zones: list[str] = field(default_factory=lambda: [f"eu-central-1{letter}" for letter in "abc"])
    types: dict[str, InstanceType] = field(default_factory=lambda: dict(TYPES))
    versions: dict[str, tuple[str, str]] = field(default_factory=lambda: dict(VERSIONS))
    missing: set[tuple[str, str]] = field(default_factory=set)
    """Instance type and zone that has none."""
