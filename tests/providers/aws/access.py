"""Who may enter a cluster."""

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.values import Properties

NODES = "EC2_LINUX"


class AccessEntry(AwsType):
    """A principal that may enter; its id is made of its cluster's name and its own."""

    token = "aws:eks/accessEntry:AccessEntry"
    kind = "access entry"

    def identify(self, inputs: Properties) -> str:
        return f"{inputs['clusterName']}:{inputs['principalArn']}"

    def refuse(self, inputs: Properties) -> None:
        cluster = self.account.must("cluster", inputs["clusterName"])
        if not str((cluster.get("accessConfig") or {}).get("authenticationMode", "CONFIG_MAP")).startswith("API"):
            raise refusals.NO_ENTRY_MODE.error()


class AccessPolicy(AwsType):
    """What a principal may do."""

    token = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
    kind = "access policy"

    def identify(self, inputs: Properties) -> str:
        return f"{inputs['clusterName']}#{inputs['principalArn']}#{inputs['policyArn']}"

    def refuse(self, inputs: Properties) -> None:
        entry = self.account.must("access entry", f"{inputs['clusterName']}:{inputs['principalArn']}")
        if entry.get("type") == NODES:
            raise refusals.ENTRY_TYPE.error()
