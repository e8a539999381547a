"""The cluster itself, as EKS runs it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from components.targets.eks.names import cluster_name
from components.targets.eks.role import Role, RoleArgs
from stacks.target import EksTarget

LOGS = ("audit", "authenticator")
"""Who did what, and who was let in; the other logs of EKS are for its own faults, and cost as much."""
LOG_DAYS, KEY_DAYS = 90, 30
"""Days for which logs are kept, and a deleted key waits in case it was a mistake; 30 is the longest at AWS."""
ADMINISTRATOR = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"


@dataclass(frozen=True, kw_only=True)
class ControlPlaneArgs:
    """Inputs of :class:`ControlPlane`."""

    stack: str
    settings: EksTarget
    subnets: Mapping[str, pulumi.Input[str]]
    """Zone to subnet of the API's interfaces."""
    security_group: pulumi.Input[str]
    provider: aws.Provider


class ControlPlane(pulumi.ComponentResource):
    """The Kubernetes API, its database with Secrets encrypted by a key of the stack, and who may enter.

    Whoever made the cluster has no rights by that; the entries are all there are.
    """

    cluster: aws.eks.Cluster
    entered: Sequence[pulumi.Resource]
    """The rights of the administrators: before them nobody is let in."""

    def __init__(self, name: str, args: ControlPlaneArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:ControlPlane", name, None, opts)
        settings, own = args.settings, cluster_name(args.stack)
        self._name, self._settings = name, settings
        self._child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        kept = pulumi.ResourceOptions.merge(self._child, pulumi.ResourceOptions(protect=settings.protect))
        key = aws.kms.Key(
            f"{name}-key",
            description=f"Secrets of {own}",
            enable_key_rotation=True,
            deletion_window_in_days=KEY_DAYS,
            opts=kept,
        )
        role = Role(
            f"{name}-role",
            RoleArgs(
                stack=args.stack,
                what="cluster",
                service="eks.amazonaws.com",
                policies=("AmazonEKSClusterPolicy",),
                provider=args.provider,
            ),
            pulumi.ResourceOptions(parent=self),
        )
        # EKS would make it itself, keep it for ever, and leave it behind.
        logs = aws.cloudwatch.LogGroup(
            f"{name}-logs", name=f"/aws/eks/{own}/cluster", retention_in_days=LOG_DAYS, opts=self._child
        )
        self.cluster = aws.eks.Cluster(
            name,
            name=own,
            version=settings.kubernetes_version,
            role_arn=role.role.arn,
            vpc_config=aws.eks.ClusterVpcConfigArgs(
                subnet_ids=list(args.subnets.values()),
                security_group_ids=[args.security_group],
                endpoint_private_access=True,
                # EKS takes an empty list for everybody, so nobody is an endpoint that is not there.
                endpoint_public_access=bool(settings.admin_cidrs),
                public_access_cidrs=list(settings.admin_cidrs) or None,
            ),
            kubernetes_network_config=aws.eks.ClusterKubernetesNetworkConfigArgs(
                ip_family="ipv4", service_ipv4_cidr=settings.services
            ),
            access_config=aws.eks.ClusterAccessConfigArgs(
                authentication_mode="API", bootstrap_cluster_creator_admin_permissions=False
            ),
            # Not said, it is EXTENDED: six times the price once the version is old, and no way back.
            upgrade_policy=aws.eks.ClusterUpgradePolicyArgs(support_type="STANDARD"),
            # Can never be changed; the add-ons are declared, one by one.
            bootstrap_self_managed_addons=False,
            deletion_protection=settings.protect,
            encryption_config=aws.eks.ClusterEncryptionConfigArgs(
                resources=["secrets"], provider=aws.eks.ClusterEncryptionConfigProviderArgs(key_arn=key.arn)
            ),
            enabled_cluster_log_types=list(LOGS),
            opts=pulumi.ResourceOptions.merge(kept, pulumi.ResourceOptions(depends_on=[*role.ready, logs])),
        )
        self.entered = [self._enter(arn) for arn in settings.administrators]
        self.register_outputs({})

    def _enter(self, arn: str) -> pulumi.Resource:
        # With its path: two roles may end alike.
        name = f"{self._name}-entry-{arn.rpartition(':')[2].replace('/', '-')}"
        entry = aws.eks.AccessEntry(
            name, cluster_name=self.cluster.name, principal_arn=arn, type="STANDARD", opts=self._child
        )
        return aws.eks.AccessPolicyAssociation(
            f"{name}-administrates",
            cluster_name=self.cluster.name,
            principal_arn=entry.principal_arn,
            policy_arn=ADMINISTRATOR,
            access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(type="cluster"),
            opts=self._child,
        )
