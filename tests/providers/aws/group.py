"""`aws.autoscaling.Group`: instances that start from a template as it is."""

from tests.providers.aws import refusals
from tests.providers.aws.access import NODES
from tests.providers.aws.aws_type import AwsType
from tests.providers.values import Properties


class Group(AwsType):
    """A group; its id is its name."""

    token = "aws:autoscaling/group:Group"
    kind = "group"

    def identify(self, inputs: Properties) -> str:
        return str(inputs["name"])

    def refuse(self, inputs: Properties) -> None:
        template = self.account.must("launch template", inputs["launchTemplate"]["id"])
        for subnet in inputs["vpcZoneIdentifiers"]:
            zone = self.account.must("subnet", subnet)["availabilityZone"]
            if (template["instanceType"], zone) in self.account.catalogue.missing:
                raise refusals.NO_INSTANCE_TYPE.error(name=template["instanceType"], zone=zone)
        profile = template["iamInstanceProfile"]["arn"].rpartition("/")[2]
        role = self.account.must("role", self.account.must("instance profile", profile)["role"])
        entries = self.account.where("access entry", principalArn=role["arn"], type=NODES)
        if not entries:
            raise refusals.NOT_LET_IN.error(role=role["arn"])

    def settle(self, identifier: str, thing: Properties) -> None:
        """Start the instances, with everything that the template says."""
        self.account.instances[identifier] = dict(self.account.must("launch template", thing["launchTemplate"]["id"]))

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        return {"desiredCapacity": inputs["minSize"]}
