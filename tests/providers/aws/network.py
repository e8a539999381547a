"""VPCs, their ranges and their subnets."""

from ipaddress import IPv4Network

from tests.providers.aws import refusals
from tests.providers.aws.account import Account
from tests.providers.aws.aws_type import AwsType
from tests.providers.values import Properties

_BLOCKS = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_WIDEST, _SMALLEST = 16, 28
RESERVED = 5
"""Addresses of a subnet that AWS keeps for itself."""


class Vpc(AwsType):
    """A VPC."""

    token = "aws:ec2/vpc:Vpc"
    kind, prefix = "VPC", "vpc"

    def refuse(self, inputs: Properties) -> None:
        check_size(inputs["cidrBlock"])


class Range(AwsType):
    """Another range of a VPC."""

    token = "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation"
    kind, prefix = "range", "vpc-cidr-assoc"

    def refuse(self, inputs: Properties) -> None:
        first = self.account.must("VPC", inputs["vpcId"])["cidrBlock"]
        wanted = IPv4Network(inputs["cidrBlock"])
        check_size(str(wanted))
        if wanted.overlaps(IPv4Network(first)) or _block(str(wanted)) not in (_block(first), None):
            raise refusals.SECOND_RANGE.error(range=wanted, first=first)

    def refuse_removal(self, thing: Properties) -> None:
        inside = IPv4Network(thing["cidrBlock"])
        for subnet in self.account.where("subnet", vpcId=thing["vpcId"]):
            if IPv4Network(subnet["cidrBlock"]).subnet_of(inside):
                raise refusals.IN_USE.error(kind=self.kind, id=inside, users=f"subnet {subnet['cidrBlock']}")


class Subnet(AwsType):
    """A part of one of a VPC's ranges, in one zone."""

    token = "aws:ec2/subnet:Subnet"
    kind, prefix = "subnet", "subnet"

    def refuse(self, inputs: Properties) -> None:
        wanted = IPv4Network(inputs["cidrBlock"])
        check_size(str(wanted))
        if inputs["availabilityZone"] not in self.account.catalogue.zones:
            raise refusals.NO_ZONE.error(zone=inputs["availabilityZone"])
        if not any(wanted.subnet_of(IPv4Network(text)) for text in ranges_of(self.account, inputs["vpcId"])):
            raise refusals.RANGE_OUTSIDE.error(range=wanted)
        for other in self.account.where("subnet", vpcId=inputs["vpcId"]):
            taken = IPv4Network(other["cidrBlock"])
            if taken != wanted and taken.overlaps(wanted):
                raise refusals.RANGE_TAKEN.error(range=wanted)

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        return {"availabilityZoneId": f"euc1-az{ord(inputs['availabilityZone'][-1]) - ord('a') + 1}"}


def ranges_of(account: Account, vpc: str) -> list[str]:
    """Return every range of a VPC."""
    return [account.must("VPC", vpc)["cidrBlock"], *(each["cidrBlock"] for each in account.where("range", vpcId=vpc))]


def check_size(text: str) -> None:
    """Refuse a range that is too wide or too small."""
    if not _WIDEST <= IPv4Network(text).prefixlen <= _SMALLEST:
        raise refusals.RANGE_SIZE.error(range=text)


def _block(text: str) -> IPv4Network | None:
    return next((block for block in _BLOCKS if IPv4Network(text).subnet_of(block)), None)
