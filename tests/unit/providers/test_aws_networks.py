"""Ranges, routes and rules of the stand-in for AWS."""

import pytest

from tests.providers.refused import RefusedError
from tests.unit.providers.aws import Aws


@pytest.fixture
def aws() -> Aws:
    return Aws()


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [("10.0.0.0/16", "192.168.0.0/16", "restricted"), ("10.0.0.0/16", "10.0.0.0/20", "restricted")],
)
def test_a_second_range_that_aws_does_not_take(aws: Aws, first: str, second: str, says: str) -> None:
    vpc = aws.make("VPC", cidrBlock=first).id
    with pytest.raises(RefusedError, match=says):
        aws.make("range", vpcId=vpc, cidrBlock=second)


@pytest.mark.parametrize(
    ("text", "says"), [("10.0.0.128/25", "conflicts"), ("10.1.0.0/24", "in no range"), ("10.0.9.0/29", "/16 to /28")]
)
def test_a_subnet_lies_inside_its_vpc_and_beside_the_others(aws: Aws, text: str, says: str) -> None:
    (subnet, _) = aws.network()
    vpc = aws.account.must("subnet", subnet)["vpcId"]
    with pytest.raises(RefusedError, match=says):
        aws.make("subnet", vpcId=vpc, availabilityZone="eu-central-1a", cidrBlock=text)


def test_a_nat_gateway_needs_a_way_out_itself(aws: Aws) -> None:
    (subnet, _) = aws.network(routed=False)
    with pytest.raises(RefusedError, match=r"Gateway\.NotAttached"):
        aws.make("NAT gateway", subnetId=subnet)


def test_a_rule_is_there_once(aws: Aws) -> None:
    (subnet, _) = aws.network()
    vpc = aws.account.must("subnet", subnet)["vpcId"]
    group = aws.make("security group", name="nodes", vpcId=vpc).id
    rule = {"securityGroupId": group, "referencedSecurityGroupId": group, "ipProtocol": "-1"}
    aws.make("ingress rule", **rule)
    with pytest.raises(RefusedError, match="already exists"):
        aws.make("ingress rule", **rule)


def test_a_file_system_has_one_address_in_a_zone(aws: Aws) -> None:
    (subnet, _) = aws.network()
    files = aws.make("file system", creationToken="files").id
    aws.make("mount target", fileSystemId=files, subnetId=subnet)
    with pytest.raises(RefusedError, match="already exists in this AZ"):
        aws.make("mount target", fileSystemId=files, subnetId=subnet)
