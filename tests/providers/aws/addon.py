"""`aws.eks.Addon`: what EKS installs into a cluster."""

import json

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.aws.catalogue import ADDONS, NEED_NODES
from tests.providers.refused import UnfinishedError
from tests.providers.values import Properties

AGENT = "eks-pod-identity-agent"


class Addon(AwsType):
    """An add-on; its id is made of its cluster's name and its own."""

    token = "aws:eks/addon:Addon"
    kind = "addon"

    def identify(self, inputs: Properties) -> str:
        return f"{inputs['clusterName']}:{inputs['addonName']}"

    def refuse(self, inputs: Properties) -> None:
        name, cluster = inputs["addonName"], self.account.must("cluster", inputs["clusterName"])
        if name not in ADDONS:
            raise refusals.NO_ADDON.error(name=name)
        version = inputs.get("addonVersion")
        if version and not version.startswith(f"v{cluster['version']}."):
            raise refusals.ADDON_VERSION.error(version=version, cluster=cluster["version"])
        for key in json.loads(inputs.get("configurationValues") or "{}"):
            if key not in ADDONS[name]:
                raise refusals.ADDON_SETTINGS.error(key=key)
        if inputs.get("podIdentityAssociations") and f"{cluster['name']}:{AGENT}" not in self.account.all(self.kind):
            raise refusals.NO_AGENT.error(name=name)

    def settle(self, identifier: str, thing: Properties) -> None:
        name, cluster = thing["addonName"], thing["clusterName"]
        if name in NEED_NODES and not self.account.where("node group", clusterName=cluster):
            raise UnfinishedError(str(refusals.DEGRADED.error()), resource_id=identifier, outputs=thing)
        self.account.installed(name)

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        known = self.account.all(self.kind).get(identifier)
        cluster = self.account.must("cluster", inputs["clusterName"])["version"]
        # Installed in the version of that day, and left in it.
        version = known["addonVersion"] if known else f"v{cluster}.0-eksbuild.1"
        return {"addonVersion": inputs.get("addonVersion") or version}
