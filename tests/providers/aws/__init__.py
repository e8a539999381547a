"""The stand-in for `aws`: one account with its refusals, and an embedded cluster behind the one of EKS."""

from collections.abc import Mapping
from typing import Any

from tests.providers.aws import refusals
from tests.providers.aws.access import AccessEntry, AccessPolicy
from tests.providers.aws.account import Account
from tests.providers.aws.addon import Addon
from tests.providers.aws.aws_type import AwsType
from tests.providers.aws.cluster import Cluster
from tests.providers.aws.files import FileSystem, MountTarget
from tests.providers.aws.functions import functions
from tests.providers.aws.group import Group
from tests.providers.aws.identity import InstanceProfile, Key, LogGroup, PolicyAttachment, Role
from tests.providers.aws.launch_template import LaunchTemplate
from tests.providers.aws.network import Range, Subnet, Vpc
from tests.providers.aws.node_group import NodeGroup
from tests.providers.aws.routing import Eip, InternetGateway, NatGateway, Route, RouteTable, RouteTableAssociation
from tests.providers.aws.security import EgressRule, IngressRule, SecurityGroup
from tests.providers.package import Package
from tests.providers.refused import MissingConfigurationError

__all__ = ["Account", "AwsPackage"]

TYPES: tuple[type[AwsType], ...] = (
    Vpc,
    Range,
    Subnet,
    InternetGateway,
    Eip,
    NatGateway,
    RouteTable,
    Route,
    RouteTableAssociation,
    SecurityGroup,
    IngressRule,
    EgressRule,
    LaunchTemplate,
    Role,
    PolicyAttachment,
    InstanceProfile,
    Key,
    LogGroup,
    Cluster,
    Addon,
    NodeGroup,
    AccessEntry,
    AccessPolicy,
    Group,
    FileSystem,
    MountTarget,
)


class AwsPackage(Package):
    """The package `aws` on one account, whatever the credentials are."""

    def __init__(self, account: Account) -> None:
        super().__init__("aws", [kind(account) for kind in TYPES], functions(account))
        self.account = account

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Take a region, and refuse the credentials of another account than the one that is allowed."""
        if configuration.get("region") is None:
            raise MissingConfigurationError("aws:region", "The region where AWS operations will take place")
        allowed = configuration.get("allowedAccountIds")
        if allowed and self.account.number not in allowed:
            raise refusals.WRONG_ACCOUNT.error(number=self.account.number)
        tags = configuration.get("defaultTags")
        if tags:
            self.account.default_tags = dict(tags["tags"])
