"""Security groups and their rules."""

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.values import Properties

_LONGEST = 255


class SecurityGroup(AwsType):
    """A group; the provider takes away the rule that lets everything out, as AWS makes one."""

    token = "aws:ec2/securityGroup:SecurityGroup"
    kind, prefix = "security group", "sg"

    def refuse(self, inputs: Properties) -> None:
        self.account.must("VPC", inputs["vpcId"])
        if len(inputs["name"]) > _LONGEST:
            raise refusals.NAME_LENGTH.error(kind=self.kind, size=len(inputs["name"]), limit=_LONGEST)


class _Rule(AwsType):
    prefix = "sgr"

    def identify(self, inputs: Properties) -> str:
        if any(self._what(each) == self._what(inputs) for each in self.account.all(self.kind).values()):
            raise refusals.DUPLICATE_RULE.error()
        return super().identify(inputs)

    def refuse(self, inputs: Properties) -> None:
        self.account.must("security group", inputs["securityGroupId"])

    def _what(self, rule: Properties) -> list[object]:
        keys = ("securityGroupId", "referencedSecurityGroupId", "cidrIpv4", "ipProtocol", "fromPort", "toPort")
        return [rule.get(key) for key in keys]

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        return {"securityGroupRuleId": identifier}


class IngressRule(_Rule):
    """Who is let in."""

    token = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
    kind = "ingress rule"


class EgressRule(_Rule):
    """Who is let out."""

    token = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
    kind = "egress rule"
