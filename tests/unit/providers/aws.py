"""An AWS account without an engine: each thing goes through the checks and the answers that the engine would get."""

import base64
from dataclasses import dataclass, field
from typing import Any

from tests.providers import lifecycle
from tests.providers.aws import Account, AwsPackage
from tests.providers.aws.aws_type import AwsType
from tests.providers.call import Call
from tests.providers.resource_type import Resource

CALL = Call(urn="urn", name="thing", preview=False)
ZONES = ("eu-central-1a", "eu-central-1b")
TRUST = '{"Version": "2012-10-17", "Statement": []}'
MIME = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x--\n"


@dataclass
class Aws:
    """One account, and shorthands for what a cluster needs before it is there."""

    account: Account = field(default_factory=Account)

    def __post_init__(self) -> None:
        self.package = AwsPackage(self.account)
        self.kinds = {each.kind: each for each in self.package._types.values() if isinstance(each, AwsType)}

    def make(self, kind: str, /, **inputs: Any) -> Resource:
        """Make something; what the SDK could not read of the answer is an error of the stand-in."""
        a_type = self.kinds[kind]
        complete, failures = lifecycle.check(self.package, a_type, inputs, {}, name="thing", seed=b"\0" * 8)
        assert failures == []
        made = lifecycle.create(a_type, complete, CALL)
        assert a_type.schema.fitting(made.outputs, a_type.absent) == []
        return Resource(id=made.id, inputs=complete, outputs=made.outputs)

    def change(self, kind: str, old: Resource, /, **inputs: Any) -> Resource:
        """Change something, as the engine would when nothing of it forces a replacement."""
        a_type, given = self.kinds[kind], {**old.inputs, **inputs}
        assert lifecycle.compare(a_type, old.inputs, given).replaces == frozenset()
        outputs = lifecycle.update(a_type, old, given, CALL)
        assert a_type.schema.fitting(outputs, a_type.absent) == []
        return Resource(id=old.id, inputs=given, outputs=outputs)

    def delete(self, kind: str, resource: Resource) -> None:
        """Remove something."""
        lifecycle.delete(self.kinds[kind], resource, CALL)

    def network(self, *, routed: bool = True) -> list[str]:
        """Make a VPC with a subnet in each of two zones, and a way out of them; return the subnets."""
        vpc = self.make("VPC", cidrBlock="10.0.0.0/16").id
        subnets = [
            self.make("subnet", vpcId=vpc, availabilityZone=zone, cidrBlock=f"10.0.{number}.0/24").id
            for number, zone in enumerate(ZONES)
        ]
        if routed:
            gateway = self.make("internet gateway", vpcId=vpc).id
            table = self.make("route table", vpcId=vpc).id
            self.make("route", routeTableId=table, destinationCidrBlock="0.0.0.0/0", gatewayId=gateway)
            for subnet in subnets:
                self.make("route table association", routeTableId=table, subnetId=subnet)
        return subnets

    def role(self, name: str = "nodes", *policies: str) -> str:
        """Make a role and return its ARN."""
        arn = str(self.make("role", name=name, assumeRolePolicy=TRUST).outputs["arn"])
        for policy in policies:
            self.make("policy attachment", role=name, policyArn=f"arn:aws:iam::aws:policy/{policy}")
        return arn

    def cluster(self, subnets: list[str], **inputs: Any) -> Resource:
        """Make a cluster that EKS takes."""
        network = {"subnetIds": subnets, "endpointPrivateAccess": True, **inputs.pop("vpcConfig", {})}
        access = {"authenticationMode": "API"}
        wanted = {"name": "rakazo-team", "version": "1.36", "roleArn": "arn:role", "accessConfig": access, **inputs}
        return self.make("cluster", vpcConfig=network, **wanted)

    def addon(self, name: str, **inputs: Any) -> Resource:
        """Install an add-on."""
        return self.make("addon", clusterName="rakazo-team", addonName=name, **inputs)

    def group(self, subnets: list[str], role: str, **inputs: Any) -> Resource:
        """Start a managed group."""
        sizes = {"desiredSize": 1, "minSize": 1, "maxSize": 2}
        wanted = {"nodeGroupNamePrefix": "computers-", "instanceTypes": ["m7i.2xlarge"], "version": "1.36"}
        given = {**wanted, "scalingConfig": sizes, "subnetIds": subnets, "nodeRoleArn": role, **inputs}
        return self.make("node group", clusterName="rakazo-team", **given)

    def template(self, **inputs: Any) -> dict[str, Any]:
        """Make a template and return how a managed group names it."""
        made = self.make("launch template", name="rakazo-team-computers", **inputs)
        return {"id": made.id, "version": str(made.outputs["latestVersion"])}

    def ready(self) -> tuple[list[str], str]:
        """Make all that nodes need to join; return subnets and role."""
        subnets, role = self.network(), self.role("nodes", "AmazonEKSWorkerNodePolicy")
        self.cluster(subnets)
        for name in ("vpc-cni", "kube-proxy"):
            self.addon(name)
        return subnets, role


def encoded(text: str) -> str:
    """Return user data as a template has it."""
    return base64.b64encode(text.encode()).decode()
