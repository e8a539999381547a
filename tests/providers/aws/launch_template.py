"""`aws.ec2.LaunchTemplate`: how instances start."""

import base64
import binascii

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.values import Properties

_USER_DATA = 16 * 1024


class LaunchTemplate(AwsType):
    """A template; every change makes another version of it."""

    token = "aws:ec2/launchTemplate:LaunchTemplate"
    kind, prefix = "launch template", "lt"

    def refuse(self, inputs: Properties) -> None:
        if inputs.get("userData"):
            decoded(inputs)
        nested = (inputs.get("cpuOptions") or {}).get("nestedVirtualization") == "enabled"
        wanted = self.account.catalogue.types.get(inputs.get("instanceType", ""))
        if nested and wanted is not None and "nested-virtualization" not in wanted.features:
            raise refusals.NO_NESTING.error(name=inputs["instanceType"])

    def refuse_change(self, old: Properties, inputs: Properties) -> None:
        old["latestVersion"] += 1

    def unknown_after(self, changed: frozenset[str]) -> frozenset[str]:
        return frozenset({"latestVersion"})

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        known = self.account.all(self.kind).get(identifier)
        version = known["latestVersion"] if known else 1
        return {"latestVersion": version, "defaultVersion": version}


def decoded(template: Properties) -> str:
    """Return the user data as text; refused when it is none or too long."""
    try:
        data = base64.b64decode(template["userData"], validate=True)
    except binascii.Error:
        raise refusals.NOT_BASE64.error() from None
    if len(data) > _USER_DATA:
        raise refusals.USER_DATA_SIZE.error()
    return data.decode()
