"""Nodes that start virtual machines: a group of our own, since one of EKS' forgets how its instances have to start."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from components.kubernetes import names
from components.targets.eks.launch_template import TemplateArgs, describe
from components.targets.eks.names import cluster_name, named, tags
from components.targets.eks.role import Role, RoleArgs
from components.targets.eks.user_data import Joining, render_joining
from stacks.machine_type import is_bare_metal
from stacks.target import EksTarget


@dataclass(frozen=True, kw_only=True)
class SelfManagedGroupArgs:
    """Inputs of :class:`SelfManagedGroup`."""

    stack: str
    settings: EksTarget
    cluster: aws.eks.Cluster
    subnets: Sequence[pulumi.Input[str]]
    security_group: pulumi.Input[str]
    policies: tuple[str, ...]
    """AWS' own policies that its nodes have."""
    provider: aws.Provider
    after: Sequence[pulumi.Resource]
    """What a node needs to become ready, and to leave in order."""


class SelfManagedGroup(pulumi.ComponentResource):
    """An autoscaling group whose instances have virtualization inside, and join the cluster by themselves.

    Their role is another than that of the groups that EKS manages, whose way in EKS makes and removes itself.
    """

    group: aws.autoscaling.Group

    def __init__(self, name: str, args: SelfManagedGroupArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:SelfManagedGroup", name, None, opts)
        self._name, self._args = name, args
        self._child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        computers = args.settings.computers
        role = Role(
            f"{name}-role",
            RoleArgs(
                stack=args.stack,
                what=names.COMPUTERS_POOL,
                service="ec2.amazonaws.com",
                policies=args.policies,
                provider=args.provider,
            ),
            pulumi.ResourceOptions(parent=self),
        )
        profile = aws.iam.InstanceProfile(
            f"{name}-profile",
            name=named(args.stack, names.COMPUTERS_POOL),
            role=role.role.name,
            opts=self._child,
        )
        entry = aws.eks.AccessEntry(
            f"{name}-joins",
            cluster_name=args.cluster.name,
            principal_arn=role.role.arn,
            type="EC2_LINUX",
            opts=self._child,
        )
        template = aws.ec2.LaunchTemplate(f"{name}-template", self._describe(profile), self._child)
        self.group = aws.autoscaling.Group(
            name,
            name=named(args.stack, names.COMPUTERS_POOL),
            min_size=computers.minimum,
            max_size=computers.maximum,
            vpc_zone_identifiers=list(args.subnets),
            launch_template=aws.autoscaling.GroupLaunchTemplateArgs(
                id=template.id, version=template.latest_version.apply(str)
            ),
            # Another template is another node, one after the other.
            instance_refresh=aws.autoscaling.GroupInstanceRefreshArgs(strategy="Rolling"),
            health_check_type="EC2",
            tags=[
                aws.autoscaling.GroupTagArgs(key=key, value=value, propagate_at_launch=True)
                for key, value in {
                    **tags(args.stack),
                    f"kubernetes.io/cluster/{cluster_name(args.stack)}": "owned",
                }.items()
            ],
            opts=pulumi.ResourceOptions.merge(
                self._child, pulumi.ResourceOptions(depends_on=[*args.after, *role.ready, entry])
            ),
        )
        self.register_outputs({})

    def _describe(self, profile: aws.iam.InstanceProfile) -> aws.ec2.LaunchTemplateArgs:
        args, settings = self._args, self._args.settings
        authority = args.cluster.certificate_authority.apply(lambda known: known.data)

        def user_data(known: list[str]) -> str:
            endpoint, certificate = known
            return render_joining(
                Joining(
                    cluster=cluster_name(args.stack),
                    endpoint=endpoint,
                    authority=certificate,
                    services=settings.services,
                    labels={names.POOL_LABEL: names.COMPUTERS_POOL},
                    taints=(f"{names.POOL_LABEL}={names.COMPUTERS_POOL}:NoSchedule",),
                )
            )

        template = describe(
            TemplateArgs(
                stack=args.stack,
                pool=names.COMPUTERS_POOL,
                disk=settings.computers.disk,
                security_group=args.security_group,
                user_data=pulumi.Output.all(args.cluster.endpoint, authority).apply(user_data),
            )
        )
        return _own(template, settings, profile)


def _own(
    template: aws.ec2.LaunchTemplateArgs, settings: EksTarget, profile: aws.iam.InstanceProfile
) -> aws.ec2.LaunchTemplateArgs:
    """Add what a template of EKS' groups must not say, and what they would forget."""
    template.image_id = f"resolve:ssm:{image_parameter(settings.kubernetes_version)}"
    template.instance_type = settings.computers.type
    template.iam_instance_profile = aws.ec2.LaunchTemplateIamInstanceProfileArgs(arn=profile.arn)
    if not is_bare_metal(
        settings.kind, settings.computers.type
    ):  # a whole machine has it anyway, and takes no such option
        template.cpu_options = aws.ec2.LaunchTemplateCpuOptionsArgs(nested_virtualization="enabled")
    return template


def image_parameter(kubernetes_version: str) -> str:
    """Return where AWS says which image of Amazon Linux 2023 it recommends for a version."""
    return f"/aws/service/eks/optimized-ami/{kubernetes_version}/amazon-linux-2023/x86_64/standard/recommended/image_id"
