"""Nodes that EKS starts, updates and drains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from components.targets.eks.launch_template import TemplateArgs, describe
from components.targets.eks.names import group_prefix

IMAGE = "AL2023_x86_64_STANDARD"


@dataclass(frozen=True, kw_only=True)
class NodeGroupArgs:
    """Inputs of :class:`NodeGroup`."""

    cluster: aws.eks.Cluster
    role: aws.iam.Role
    subnets: Sequence[pulumi.Input[str]]
    kubernetes_version: str
    instance_type: str
    minimum: int
    maximum: int
    template: TemplateArgs
    labels: Mapping[str, str]
    taints: Mapping[str, str] = field(default_factory=dict)
    """Key to value; all of them keep pods away that do not tolerate them."""
    provider: aws.Provider
    after: Sequence[pulumi.Resource]
    """What a node needs to become ready, and to leave in order."""


class NodeGroup(pulumi.ComponentResource):
    """A group of which another takes the place when a change asks for new nodes: first the new, then the old go."""

    group: aws.eks.NodeGroup

    def __init__(self, name: str, args: NodeGroupArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:NodeGroup", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        template = aws.ec2.LaunchTemplate(f"{name}-template", describe(args.template), child)
        self.group = aws.eks.NodeGroup(
            name,
            cluster_name=args.cluster.name,
            # A prefix: two groups of one name cannot be there together.
            node_group_name_prefix=group_prefix(args.template.pool),
            node_role_arn=args.role.arn,
            subnet_ids=list(args.subnets),
            version=args.kubernetes_version,
            ami_type=IMAGE,
            instance_types=[args.instance_type],
            capacity_type="ON_DEMAND",
            launch_template=aws.eks.NodeGroupLaunchTemplateArgs(
                id=template.id, version=template.latest_version.apply(str)
            ),
            scaling_config=aws.eks.NodeGroupScalingConfigArgs(
                desired_size=args.minimum, min_size=args.minimum, max_size=args.maximum
            ),
            update_config=aws.eks.NodeGroupUpdateConfigArgs(max_unavailable=1),
            labels=dict(args.labels),
            taints=[
                aws.eks.NodeGroupTaintArgs(key=key, value=value, effect="NO_SCHEDULE")
                for key, value in args.taints.items()
            ],
            opts=pulumi.ResourceOptions.merge(
                child,
                pulumi.ResourceOptions(
                    depends_on=list(args.after),
                    # How many there are between the two is an autoscaler's or a person's to say.
                    ignore_changes=["scalingConfig.desiredSize"] if args.minimum < args.maximum else None,
                ),
            ),
        )
        self.register_outputs({})
