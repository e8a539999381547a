"""Roles, what they may do, and keys."""

import json

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.aws.catalogue import POLICIES
from tests.providers.values import Properties

LONGEST_ROLE, LONGEST_PROFILE = 64, 128
_POLICY = "arn:aws:iam::aws:policy/"
_SHORTEST_WINDOW, _LONGEST_WINDOW = 7, 30


class Role(AwsType):
    """A role; its id is its name."""

    token = "aws:iam/role:Role"
    kind = "role"

    def identify(self, inputs: Properties) -> str:
        return str(inputs["name"])

    def refuse(self, inputs: Properties) -> None:
        json.loads(inputs["assumeRolePolicy"])
        if len(inputs["name"]) > LONGEST_ROLE:
            raise refusals.NAME_LENGTH.error(kind=self.kind, size=len(inputs["name"]), limit=LONGEST_ROLE)

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        return {"arn": f"arn:aws:iam::{self.account.number}:role/{identifier}"}


class PolicyAttachment(AwsType):
    """A policy that a role has."""

    token = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
    kind = "policy attachment"

    def identify(self, inputs: Properties) -> str:
        return f"{inputs['role']}/{inputs['policyArn']}"

    def refuse(self, inputs: Properties) -> None:
        self.account.must("role", inputs["role"])
        if inputs["policyArn"].removeprefix(_POLICY) not in POLICIES:
            raise refusals.NO_POLICY.error(arn=inputs["policyArn"])


class InstanceProfile(AwsType):
    """How an instance gets a role."""

    token = "aws:iam/instanceProfile:InstanceProfile"
    kind = "instance profile"

    def identify(self, inputs: Properties) -> str:
        return str(inputs["name"])

    def refuse(self, inputs: Properties) -> None:
        self.account.must("role", inputs["role"])


class Key(AwsType):
    """A key; the day of its end is not modelled."""

    token = "aws:kms/key:Key"
    kind, prefix = "key", "key"

    def refuse(self, inputs: Properties) -> None:
        if not _SHORTEST_WINDOW <= inputs.get("deletionWindowInDays", _LONGEST_WINDOW) <= _LONGEST_WINDOW:
            raise refusals.KEY_WINDOW.error()


class LogGroup(AwsType):
    """A log; its id is its name."""

    token = "aws:cloudwatch/logGroup:LogGroup"
    kind = "log group"

    def identify(self, inputs: Properties) -> str:
        return str(inputs["name"])
