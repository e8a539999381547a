"""How nodes reach the internet, and how nobody there reaches them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pulumi
import pulumi_aws as aws

from components.targets.eks.names import named

EVERYWHERE = "0.0.0.0/0"


@dataclass(frozen=True, kw_only=True)
class GatewaysArgs:
    """Inputs of :class:`Gateways`."""

    stack: str
    vpc: pulumi.Input[str]
    nat: Literal["none", "one", "per-zone"]
    nodes: Mapping[str, aws.ec2.Subnet]
    """Zone to subnet."""
    public: Mapping[str, aws.ec2.Subnet]
    """Zone to subnet of a NAT gateway; none when nodes have public addresses."""
    provider: aws.Provider


class Gateways(pulumi.ComponentResource):
    """Routes from every subnet of nodes to the internet.

    Subnets of pods have none: what a pod sends out of the VPC leaves in its node's name.
    """

    routes: Sequence[pulumi.Resource]
    """Nodes that start before these are there find no image to pull."""

    def __init__(self, name: str, args: GatewaysArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Gateways", name, None, opts)
        self._name, self._args = name, args
        self._child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        self._internet = aws.ec2.InternetGateway(
            f"{name}-internet", vpc_id=args.vpc, tags={"Name": named(args.stack, "internet")}, opts=self._child
        )
        if args.nat == "none":
            self.routes = self._routed("nodes", args.nodes, gateway=self._internet)
        else:
            outside = self._routed("public", args.public, gateway=self._internet)
            zones = list(args.public) if args.nat == "per-zone" else list(args.public)[:1]
            gateways = {zone: self._translator(zone, outside) for zone in zones}
            self.routes = [
                route
                for zone, subnet in args.nodes.items()
                for route in self._routed(f"nodes-{zone}", {zone: subnet}, nat=gateways.get(zone, gateways[zones[0]]))
            ]
        self.register_outputs({})

    def _translator(self, zone: str, after: Sequence[pulumi.Resource]) -> aws.ec2.NatGateway:
        name, tags = f"{self._name}-nat-{zone}", {"Name": named(self._args.stack, f"nat-{zone}")}
        address = aws.ec2.Eip(f"{name}-address", domain="vpc", tags=tags, opts=self._child)
        return aws.ec2.NatGateway(
            name,
            allocation_id=address.allocation_id,
            subnet_id=self._args.public[zone].id,
            tags=tags,
            opts=pulumi.ResourceOptions.merge(self._child, pulumi.ResourceOptions(depends_on=list(after))),
        )

    def _routed(
        self,
        role: str,
        subnets: Mapping[str, aws.ec2.Subnet],
        *,
        gateway: aws.ec2.InternetGateway | None = None,
        nat: aws.ec2.NatGateway | None = None,
    ) -> list[pulumi.Resource]:
        """Make one table with one route out, and let the subnets use it."""
        table = aws.ec2.RouteTable(
            f"{self._name}-{role}",
            vpc_id=self._args.vpc,
            tags={"Name": named(self._args.stack, role)},
            opts=self._child,
        )
        route = aws.ec2.Route(
            f"{self._name}-{role}-out",
            route_table_id=table.id,
            destination_cidr_block=EVERYWHERE,
            gateway_id=gateway.id if gateway else None,
            nat_gateway_id=nat.id if nat else None,
            opts=self._child,
        )
        used = [
            aws.ec2.RouteTableAssociation(
                f"{self._name}-{role}-of-{zone}", route_table_id=table.id, subnet_id=subnet.id, opts=self._child
            )
            for zone, subnet in subnets.items()
        ]
        return [route, *used]
