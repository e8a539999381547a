"""All nodes of a cluster: those of Rakazo itself, and those of computers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from components.kubernetes import names
from components.targets.eks.launch_template import TemplateArgs
from components.targets.eks.node_group import NodeGroup, NodeGroupArgs
from components.targets.eks.role import Role, RoleArgs
from components.targets.eks.self_managed_group import SelfManagedGroup, SelfManagedGroupArgs
from components.targets.eks.user_data import render_gvisor
from stacks.target import EksTarget

SYSTEM_POOL = "system"
NODE_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly")
"""What a node may do at AWS: join, give pods addresses, pull images. A pod cannot become its node."""


@dataclass(frozen=True, kw_only=True)
class NodesArgs:
    """Inputs of :class:`Nodes`."""

    stack: str
    settings: EksTarget
    nests: bool
    """Whether computers are virtual machines."""
    cluster: aws.eks.Cluster
    subnets: Mapping[str, pulumi.Input[str]]
    """Zone to subnet."""
    security_group: pulumi.Input[str]
    provider: aws.Provider
    after: Sequence[pulumi.Resource]
    """What a node needs to become ready, and to leave in order."""


class Nodes(pulumi.ComponentResource):
    """Two pools: Rakazo's in the first zone, where its volumes are, and the computers', with a taint, in all zones."""

    system: pulumi.Resource
    """What the cluster's own pods run on."""
    all: Sequence[pulumi.Resource]

    def __init__(self, name: str, args: NodesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Nodes", name, None, opts)
        self._args, self._child = args, pulumi.ResourceOptions(parent=self)
        settings = args.settings
        role = Role(
            f"{name}-role",
            RoleArgs(
                stack=args.stack,
                what="nodes",
                service="ec2.amazonaws.com",
                policies=NODE_POLICIES,
                provider=args.provider,
            ),
            self._child,
        )
        after = [*args.after, *role.ready]
        self.system = NodeGroup(
            f"{name}-{SYSTEM_POOL}",
            NodeGroupArgs(
                cluster=args.cluster,
                role=role.role,
                subnets=[args.subnets[settings.zones[0]]],
                kubernetes_version=settings.kubernetes_version,
                instance_type=settings.system.type,
                minimum=settings.system.count,
                maximum=settings.system.count,
                template=self._template(SYSTEM_POOL, settings.system.disk),
                labels={names.POOL_LABEL: SYSTEM_POOL},
                provider=args.provider,
                after=after,
            ),
            self._child,
        ).group
        # EKS forgets how instances have to start on which virtual machines run, if a group is its own.
        computers = self._own_group(name, after) if args.nests else self._computers(name, role.role, after)
        self.all = [self.system, computers]
        self.register_outputs({})

    def _template(self, pool: str, disk: int, user_data: pulumi.Input[str] | None = None) -> TemplateArgs:
        return TemplateArgs(
            stack=self._args.stack,
            pool=pool,
            disk=disk,
            security_group=self._args.security_group,
            user_data=user_data,
        )

    def _computers(self, name: str, role: aws.iam.Role, after: Sequence[pulumi.Resource]) -> pulumi.Resource:
        args, computers = self._args, self._args.settings.computers
        gvisor = args.settings.gvisor
        user_data = render_gvisor(gvisor) if gvisor else None
        return NodeGroup(
            f"{name}-{names.COMPUTERS_POOL}",
            NodeGroupArgs(
                cluster=args.cluster,
                role=role,
                subnets=list(args.subnets.values()),
                kubernetes_version=args.settings.kubernetes_version,
                instance_type=computers.type,
                minimum=computers.minimum,
                maximum=computers.maximum,
                template=self._template(names.COMPUTERS_POOL, computers.disk, user_data),
                labels={names.POOL_LABEL: names.COMPUTERS_POOL},
                taints={names.POOL_LABEL: names.COMPUTERS_POOL},
                provider=args.provider,
                after=after,
            ),
            self._child,
        ).group

    def _own_group(self, name: str, after: Sequence[pulumi.Resource]) -> pulumi.Resource:
        args = self._args
        return SelfManagedGroup(
            f"{name}-{names.COMPUTERS_POOL}",
            SelfManagedGroupArgs(
                stack=args.stack,
                settings=args.settings,
                cluster=args.cluster,
                subnets=list(args.subnets.values()),
                security_group=args.security_group,
                policies=NODE_POLICIES,
                provider=args.provider,
                after=after,
            ),
            self._child,
        ).group
