"""What every node is, whoever starts it."""

import base64
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from components.targets.eks.names import named, tags

ROOT_DEVICE = "/dev/xvda"
"""The disk of Amazon Linux 2023."""


@dataclass(frozen=True, kw_only=True)
class TemplateArgs:
    """What a template says.

    EKS starts a group's nodes from it and refuses subnets, roles and images in it; nested virtualization it forgets
    without a word. So none of these is here.
    """

    stack: str
    pool: str
    disk: int
    """GiB."""
    security_group: pulumi.Input[str]
    user_data: pulumi.Input[str] | None = None


def describe(args: TemplateArgs) -> aws.ec2.LaunchTemplateArgs:
    """Return the template: an encrypted disk, and a metadata service that no pod reaches."""
    own = {**tags(args.stack), "Name": named(args.stack, args.pool)}
    return aws.ec2.LaunchTemplateArgs(
        name=named(args.stack, args.pool),
        update_default_version=True,
        vpc_security_group_ids=[args.security_group],
        block_device_mappings=[
            aws.ec2.LaunchTemplateBlockDeviceMappingArgs(
                device_name=ROOT_DEVICE,
                ebs=aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
                    volume_size=args.disk, volume_type="gp3", encrypted="true", delete_on_termination="true"
                ),
            )
        ],
        metadata_options=aws.ec2.LaunchTemplateMetadataOptionsArgs(
            http_endpoint="enabled",
            http_tokens="required",
            # One hop is the node itself and the pods in its network: a pod of its own is one hop too far away.
            http_put_response_hop_limit=1,
        ),
        # The provider's tags are the template's, not those of what is started from it.
        tag_specifications=[
            aws.ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=own)
            for kind in ("instance", "volume", "network-interface")
        ],
        user_data=None if args.user_data is None else pulumi.Output.from_input(args.user_data).apply(_encoded),
    )


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
