"""The tables of the stand-in for aws: that they speak the SDK's language; that they are true, their sources say."""

from typing import Any

import pytest

from tests.providers.aws import refusals
from tests.providers.aws.refusals import Refusal
from tests.providers.aws.replacements import REPLACES, UNORDERED
from tests.providers.refused import RefusedError
from tests.unit.providers.aws import CALL, Aws

AWS = Aws()


def test_every_type_has_its_row_and_every_row_its_type() -> None:
    assert set(REPLACES) == set(AWS.kinds)
    assert set(UNORDERED) <= set(AWS.kinds)


@pytest.mark.parametrize("kind", sorted(REPLACES))
def test_a_row_names_inputs_that_the_sdk_has(kind: str) -> None:
    """A misspelt name would silently turn a replacement into an update."""
    inputs = AWS.kinds[kind].schema.inputs
    named = {path.partition("[")[0].partition(".")[0] for path in UNORDERED.get(kind, ())}
    assert (REPLACES[kind] | named) - inputs == set()


def test_every_refusal_says_where_it_was_read() -> None:
    rows = {name: each for name, each in vars(refusals).items() if isinstance(each, Refusal)}
    assert len(rows) > 30
    assert [name for name, each in rows.items() if not each.source or not each.message] == []


@pytest.mark.parametrize(
    ("token", "arguments"),
    [
        ("aws:index/getCallerIdentity:getCallerIdentity", {}),
        ("aws:iam/getSessionContext:getSessionContext", {"arn": "arn:aws:sts::1:assumed-role/deploy/me"}),
        ("aws:index/getAvailabilityZones:getAvailabilityZones", {"state": "available"}),
        ("aws:eks/getClusterVersions:getClusterVersions", {"includeAll": True}),
        ("aws:ec2/getInstanceType:getInstanceType", {"instanceType": "m7i.2xlarge"}),
        (
            "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings",
            {"locationType": "availability-zone", "filters": [{"name": "instance-type", "values": ["m7i.large"]}]},
        ),
    ],
)
def test_an_answer_has_everything_that_the_sdk_reads(token: str, arguments: dict[str, Any]) -> None:
    schema, function = AWS.package.function(token)
    assert schema.check(dict(arguments)) == []
    assert schema.fitting(function(dict(arguments), CALL)) == []


def test_an_answer_about_what_exists_has_everything_as_well() -> None:
    aws = Aws()
    (subnet, _) = aws.network()
    vpc = aws.account.must("subnet", subnet)["vpcId"]
    for token, asked in (("getVpc", vpc), ("getSubnet", subnet)):
        schema, function = aws.package.function(f"aws:ec2/{token}:{token}")
        assert schema.fitting(function({"id": asked}, CALL)) == []


def test_credentials_of_another_account_are_refused() -> None:
    AWS.package.configure({"region": "eu-central-1", "allowedAccountIds": ["111122223333"]})
    with pytest.raises(RefusedError, match="AWS account ID not allowed"):
        AWS.package.configure({"region": "eu-central-1", "allowedAccountIds": ["999922223333"]})
