"""The network of a cluster at AWS."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from components.targets.eks.gateways import Gateways, GatewaysArgs
from components.targets.eks.names import named
from stacks.target.eks_network import OwnNetwork


@dataclass(frozen=True, kw_only=True)
class Subnets:
    """Where the cluster's parts are."""

    vpc: pulumi.Input[str]
    nodes: Mapping[str, pulumi.Input[str]]
    """Zone to the id of the subnet of its nodes."""
    pods: Mapping[str, pulumi.Input[str]]
    """Zone to the id of the subnet of its pods."""
    ready: Sequence[pulumi.Resource] = ()
    """What has to be there before a node reaches the internet."""


@dataclass(frozen=True, kw_only=True)
class VpcArgs:
    """Inputs of :class:`Vpc`."""

    stack: str
    zones: tuple[str, ...]
    network: OwnNetwork
    provider: aws.Provider


class Vpc(pulumi.ComponentResource):
    """A VPC in which nodes and pods have ranges of their own, and nobody outside reaches either."""

    subnets: Subnets

    def __init__(self, name: str, args: VpcArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Vpc", name, None, opts)
        self._name, self._args = name, args
        self._child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        self._vpc = aws.ec2.Vpc(
            name,
            cidr_block=args.network.nodes,
            # Nodes find the API's private address by its name.
            enable_dns_support=True,
            enable_dns_hostnames=True,
            tags={"Name": named(args.stack, "vpc")},
            opts=self._child,
        )
        second = aws.ec2.VpcIpv4CidrBlockAssociation(
            f"{name}-pods", vpc_id=self._vpc.id, cidr_block=args.network.pods, opts=self._child
        )
        public = args.network.nat == "none"
        nodes = {
            zone: self._subnet("nodes", zone, text, ROLE_PUBLIC if public else ROLE_PRIVATE, public=public)
            for zone, text in args.network.node_ranges(args.zones).items()
        }
        pods = {
            zone: self._subnet("pods", zone, text, {}, after=[second])
            for zone, text in args.network.pod_ranges(args.zones).items()
        }
        gateways = Gateways(
            f"{name}-way-out",
            GatewaysArgs(
                stack=args.stack,
                vpc=self._vpc.id,
                nat=args.network.nat,
                nodes=nodes,
                public={
                    zone: self._subnet("public", zone, text, ROLE_PUBLIC)
                    for zone, text in args.network.public_ranges(args.zones).items()
                    if not public
                },
                provider=args.provider,
            ),
            pulumi.ResourceOptions(parent=self),
        )
        self.subnets = Subnets(
            vpc=self._vpc.id,
            nodes={zone: subnet.id for zone, subnet in nodes.items()},
            pods={zone: subnet.id for zone, subnet in pods.items()},
            ready=gateways.routes,
        )
        self.register_outputs({})

    def _subnet(
        self,
        role: str,
        zone: str,
        text: str,
        tags: Mapping[str, str],
        *,
        public: bool = False,
        after: Sequence[pulumi.Resource] = (),
    ) -> aws.ec2.Subnet:
        return aws.ec2.Subnet(
            f"{self._name}-{role}-{zone}",
            vpc_id=self._vpc.id,
            availability_zone=zone,
            cidr_block=text,
            map_public_ip_on_launch=public,
            tags={"Name": named(self._args.stack, f"{role}-{zone}"), **tags},
            opts=pulumi.ResourceOptions.merge(self._child, pulumi.ResourceOptions(depends_on=list(after))),
        )


ROLE_PRIVATE = {"kubernetes.io/role/internal-elb": "1"}
ROLE_PUBLIC = {"kubernetes.io/role/elb": "1"}
"""Tags by which controllers of load balancers find a subnet."""
