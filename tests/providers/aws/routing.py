"""How a subnet reaches the internet."""

from tests.providers.aws import refusals
from tests.providers.aws.account import Account
from tests.providers.aws.aws_type import AwsType
from tests.providers.values import Properties

_TARGETS = ("gatewayId", "natGatewayId", "transitGatewayId", "networkInterfaceId", "vpcPeeringConnectionId")
_EVERYWHERE = "0.0.0.0/0"


class InternetGateway(AwsType):
    """The door of a VPC."""

    token = "aws:ec2/internetGateway:InternetGateway"
    kind, prefix = "internet gateway", "igw"


class Eip(AwsType):
    """A public address."""

    token = "aws:ec2/eip:Eip"
    kind, prefix = "address", "eipalloc"

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        return {"allocationId": identifier, "publicIp": "192.175.48.77"}


class NatGateway(AwsType):
    """What lets out and nobody in; it needs a way out itself."""

    token = "aws:ec2/natGateway:NatGateway"
    kind, prefix = "NAT gateway", "nat"

    def refuse(self, inputs: Properties) -> None:
        subnet = self.account.must("subnet", inputs["subnetId"])
        route = way_out(self.account, inputs["subnetId"])
        if route is None or not str(route.get("gatewayId", "")).startswith("igw-"):
            raise refusals.NOT_ATTACHED.error(vpc=subnet["vpcId"], subnet=inputs["subnetId"])


class RouteTable(AwsType):
    """Routes of some subnets."""

    token = "aws:ec2/routeTable:RouteTable"
    kind, prefix = "route table", "rtb"


class Route(AwsType):
    """One route."""

    token = "aws:ec2/route:Route"
    kind, prefix = "route", "r"

    def refuse(self, inputs: Properties) -> None:
        if sum(inputs.get(name) is not None for name in _TARGETS) != 1:
            raise refusals.TWO_TARGETS.error()


class RouteTableAssociation(AwsType):
    """Which routes a subnet has."""

    token = "aws:ec2/routeTableAssociation:RouteTableAssociation"
    kind, prefix = "route table association", "rtbassoc"


def way_out(account: Account, subnet: str) -> Properties | None:
    """Return the route from a subnet to the internet."""
    tables = [each["routeTableId"] for each in account.where("route table association", subnetId=subnet)]
    routes = account.where("route", destinationCidrBlock=_EVERYWHERE)
    return next((route for route in routes if route["routeTableId"] in tables), None)
