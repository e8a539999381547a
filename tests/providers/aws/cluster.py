"""`aws.eks.Cluster`: the Kubernetes API, behind which an embedded one stands."""

import re
from ipaddress import IPv4Network

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.aws.network import ranges_of
from tests.providers.values import Properties

_NAME = re.compile(r"[0-9A-Za-z][-_0-9A-Za-z]{0,99}")
_RESERVED = tuple(
    map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"))
)
STANDARD = "STANDARD_SUPPORT"


class Cluster(AwsType):
    """A cluster; its id is its name."""

    token = "aws:eks/cluster:Cluster"
    kind = "cluster"

    def identify(self, inputs: Properties) -> str:
        return str(inputs["name"])

    def refuse(self, inputs: Properties) -> None:
        if not _NAME.fullmatch(inputs["name"]):
            raise refusals.NAME_LENGTH.error(kind=self.kind, size=len(inputs["name"]), limit=100)
        self._network(inputs)
        self._access(inputs["vpcConfig"])
        support = self.account.catalogue.versions.get(inputs["version"])
        if support is None:
            raise refusals.OLD_VERSION.error(version=inputs["version"])
        if support[1] != STANDARD and (inputs.get("upgradePolicy") or {}).get("supportType") == "STANDARD":
            raise refusals.EXTENDED.error(version=inputs["version"])

    def refuse_change(self, old: Properties, inputs: Properties) -> None:
        before, after = (int(each["version"].split(".")[1]) for each in (old, inputs))
        if after - before not in (0, 1):
            raise refusals.VERSION_STEP.error(old=old["version"], new=inputs["version"])

    def refuse_removal(self, thing: Properties) -> None:
        if thing.get("deletionProtection"):
            raise refusals.PROTECTED.error()

    def settle(self, identifier: str, thing: Properties) -> None:
        """Make the log that nobody made, which then stays for ever: terraform-aws-eks' README on log groups."""
        log = f"/aws/eks/{identifier}/cluster"
        if thing.get("enabledClusterLogTypes") and log not in self.account.all("log group"):
            self.account.add("log group", log, {"name": log, "retentionInDays": 0})

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        return {
            "endpoint": self.account.cluster.server,
            "certificateAuthority": {"data": self.account.cluster.authority},
            "status": "ACTIVE",
            "platformVersion": "eks.1",
        }

    def unknown_after(self, changed: frozenset[str]) -> frozenset[str]:
        return frozenset({"platformVersion"} if "version" in changed else ())

    def _network(self, inputs: Properties) -> None:
        subnets = [self.account.must("subnet", each) for each in inputs["vpcConfig"]["subnetIds"]]
        if len({each["availabilityZone"] for each in subnets}) < 2:
            raise refusals.FEW_ZONES.error()
        for group in inputs["vpcConfig"].get("securityGroupIds", ()):
            self.account.must("security group", group)
        services = (inputs.get("kubernetesNetworkConfig") or {}).get("serviceIpv4Cidr")
        for text in ranges_of(self.account, subnets[0]["vpcId"]):
            if services and IPv4Network(text).overlaps(IPv4Network(services)):
                raise refusals.SERVICE_RANGE.error(range=text)

    def _access(self, network: Properties) -> None:
        public = network.get("endpointPublicAccess", True)
        if not public and not network.get("endpointPrivateAccess", False):
            raise refusals.NO_ENDPOINT.error()
        for text in network.get("publicAccessCidrs") or ():
            if any(IPv4Network(text).subnet_of(reserved) for reserved in _RESERVED):
                raise refusals.PUBLIC_CIDR.error(range=text)
