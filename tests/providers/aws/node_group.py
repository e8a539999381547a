"""`aws.eks.NodeGroup`: instances that EKS starts, from a template of which it takes only a part."""

from tests.providers.aws import refusals
from tests.providers.aws.aws_type import AwsType
from tests.providers.aws.launch_template import decoded
from tests.providers.aws.routing import way_out
from tests.providers.refused import UnfinishedError
from tests.providers.values import Properties

FORBIDDEN = ("iamInstanceProfile", "instanceInitiatedShutdownBehavior", "hibernationOptions", "instanceMarketOptions")
"""Fields of a template that a managed group refuses; a subnet in `networkInterfaces` is another."""
LONGEST_NAME, LONGEST_PREFIX = 63, 37
NODE_ADDONS = ("vpc-cni", "kube-proxy")
WORKER = "AmazonEKSWorkerNodePolicy"


class NodeGroup(AwsType):
    """A group; its id is made of its cluster's name and its own."""

    token = "aws:eks/nodeGroup:NodeGroup"
    kind = "node group"

    def identify(self, inputs: Properties) -> str:
        own = inputs.get("nodeGroupName") or self.account.new_id(inputs["nodeGroupNamePrefix"].rstrip("-"))
        return f"{inputs['clusterName']}:{own}"

    def refuse(self, inputs: Properties) -> None:
        for name, limit in (("nodeGroupName", LONGEST_NAME), ("nodeGroupNamePrefix", LONGEST_PREFIX)):
            if len(inputs.get(name) or "") > limit:
                raise refusals.NAME_LENGTH.error(kind=self.kind, size=len(inputs[name]), limit=limit)
        least, desired, most = (inputs["scalingConfig"][each] for each in ("minSize", "desiredSize", "maxSize"))
        if least > desired:
            raise refusals.MINIMUM_ABOVE.error(least=least, desired=desired)
        if desired > most:
            raise refusals.MAXIMUM_BELOW.error(desired=desired, most=most)
        template = self._template(inputs)
        self._check_template(inputs, template)
        self._check_types(inputs, template)

    def settle(self, identifier: str, thing: Properties) -> None:
        """Start the instances; what is missing for them to join comes out now."""
        template = self._template(thing)
        # CpuOptions are not among what EKS copies: aws/containers-roadmap#2784, terraform-aws-eks#3686 (B052).
        self.account.instances[identifier] = {
            name: value for name, value in template.items() if name in ("userData", "metadataOptions", "imageId")
        }
        why = self._kept_out(thing)
        if why:
            error = refusals.NODES_NOT_READY.error(why=why)
            raise UnfinishedError(str(error), resource_id=identifier, outputs=thing)

    def computed(self, identifier: str, inputs: Properties) -> Properties:
        own = identifier.partition(":")[2]
        return {"nodeGroupName": own, "status": "ACTIVE", "releaseVersion": f"{inputs['version']}.0-20261117"}

    def unknown_after(self, changed: frozenset[str]) -> frozenset[str]:
        return frozenset({"releaseVersion"} if "version" in changed else ())

    def _template(self, inputs: Properties) -> Properties:
        named = inputs.get("launchTemplate")
        return self.account.must("launch template", named["id"]) if named else {}

    def _check_template(self, inputs: Properties, template: Properties) -> None:
        for field in FORBIDDEN:
            if template.get(field):
                raise refusals.FORBIDDEN_IN_TEMPLATE.error(field=field)
        if any(each.get("subnetId") for each in template.get("networkInterfaces") or ()):
            raise refusals.FORBIDDEN_IN_TEMPLATE.error(field="networkInterfaces.subnetId")
        if template and inputs.get("diskSize"):
            raise refusals.SAID_TWICE.error(field="diskSize")
        if template.get("instanceType") and inputs.get("instanceTypes"):
            raise refusals.SAID_TWICE.error(field="instanceType")
        if template.get("imageId") and inputs.get("version"):
            raise refusals.VERSION_AND_IMAGE.error()
        if template.get("userData") and not template.get("imageId"):
            first = decoded(template).splitlines()[:2]
            if not any(line.lower().startswith("content-type: multipart/") for line in first):
                raise refusals.NOT_MIME.error()

    def _check_types(self, inputs: Properties, template: Properties) -> None:
        zones = [self.account.must("subnet", each)["availabilityZone"] for each in inputs["subnetIds"]]
        for name in inputs.get("instanceTypes") or [template.get("instanceType")]:
            for zone in zones:
                if name not in self.account.catalogue.types or (name, zone) in self.account.catalogue.missing:
                    raise refusals.NO_INSTANCE_TYPE.error(name=name, zone=zone)

    def _kept_out(self, group: Properties) -> str | None:
        account, cluster = self.account, group["clusterName"]
        for name in NODE_ADDONS:
            if f"{cluster}:{name}" not in account.all("addon"):
                return f"container runtime network not ready: {name} is not there"
        for subnet in group["subnetIds"]:
            if way_out(account, subnet) is None:
                return f"{subnet} has no way to the internet, so no image can be pulled (B093)"
        role = group["nodeRoleArn"].rpartition("/")[2]
        if not any(each["policyArn"].endswith(WORKER) for each in account.where("policy attachment", role=role)):
            return f"{role} may not join: {WORKER} is missing"
        return None
