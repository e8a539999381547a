"""What EKS installs into its clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws

NETWORK = "vpc-cni"
PROXY = "kube-proxy"
IDENTITIES = "eks-pod-identity-agent"
DNS = "coredns"
BLOCK_STORAGE = "aws-ebs-csi-driver"
FILES = "aws-efs-csi-driver"


@dataclass(frozen=True, kw_only=True)
class AddonArgs:
    """Inputs of :func:`install`."""

    addon: str
    cluster: aws.eks.Cluster
    provider: aws.Provider
    after: Sequence[pulumi.Resource] = ()
    settings: pulumi.Input[Mapping[str, Any]] | None = None
    """Values in the add-on's own names; None: its defaults."""
    identity: tuple[str, pulumi.Input[str]] | None = None
    """Service account that takes a role on, and the role's ARN; None: it needs nothing from AWS."""


def install(name: str, args: AddonArgs, parent: pulumi.Resource) -> aws.eks.Addon:
    """Install an add-on in the version that EKS has for the cluster; a later one is a person's decision."""
    account, role = args.identity or ("", "")
    settings = None if args.settings is None else pulumi.Output.json_dumps(args.settings, sort_keys=True)
    return aws.eks.Addon(
        name,
        cluster_name=args.cluster.name,
        addon_name=args.addon,
        configuration_values=settings,
        pod_identity_associations=(
            [aws.eks.AddonPodIdentityAssociationArgs(service_account=account, role_arn=role)] if args.identity else None
        ),
        resolve_conflicts_on_create="OVERWRITE",
        resolve_conflicts_on_update="PRESERVE",
        opts=pulumi.ResourceOptions(parent=parent, provider=args.provider, depends_on=list(args.after)),
    )


def network_settings(
    subnets: Mapping[str, pulumi.Input[str]], security_group: pulumi.Input[str], region: str
) -> pulumi.Output[Mapping[str, Any]]:
    """Return how pods get their addresses: from subnets and with a security group of their own, and under policies.

    Whole ranges are given to nodes at once: else a node of the usual size would run out of addresses before its
    kubelet stops taking pods, since its first interface has none for them here.
    """
    known = pulumi.Output.all(security_group=security_group, subnets=pulumi.Output.all(**subnets))
    return known.apply(lambda told: render_network_settings(told["subnets"], told["security_group"], region))


def render_network_settings(subnets: Mapping[str, str], security_group: str, region: str) -> Mapping[str, Any]:
    """Return the same once everything is known; all values are text, as the add-on wants them."""
    zones = {zone: {"id": subnet, "securityGroups": [security_group]} for zone, subnet in subnets.items()}
    return {
        # Not said, policies are accepted and nothing is enforced.
        "enableNetworkPolicy": "true",
        "env": {
            "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG": "true",
            "ENI_CONFIG_LABEL_DEF": "topology.kubernetes.io/zone",
            "ENABLE_PREFIX_DELEGATION": "true",
            # Pods are open for a moment until their policies are there; the wait in front of every computer closes
            # that. The strict mode would close every pod of the cluster that has no policy, DNS first of all.
            "NETWORK_POLICY_ENFORCING_MODE": "standard",
        },
        "eniConfig": {"create": True, "region": region, "subnets": zones},
    }
