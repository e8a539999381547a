"""EFS: file systems that many nodes mount."""

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.values import Properties


class FileSystem(AwsType):
    """A file system."""

    token = "aws:efs/fileSystem:FileSystem"
    kind, prefix = "file system", "fs"


class MountTarget(AwsType):
    """Its address in a zone, of which it has one each."""

    token = "aws:efs/mountTarget:MountTarget"
    kind, prefix = "mount target", "fsmt"

    def identify(self, inputs: Properties) -> str:
        zone = self._zone(inputs)
        if any(self._zone(each) == zone for each in self.account.where(self.kind, fileSystemId=inputs["fileSystemId"])):
            raise refusals.SECOND_MOUNT.error()
        return super().identify(inputs)

    def refuse(self, inputs: Properties) -> None:
        self.account.must("file system", inputs["fileSystemId"])

    def _zone(self, target: Properties) -> str:
        return str(self.account.must("subnet", target["subnetId"])["availabilityZone"])
