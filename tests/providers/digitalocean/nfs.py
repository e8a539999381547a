"""`digitalocean.Nfs`: a share that several nodes mount at once."""

from ipaddress import ip_network

from tests.providers.call import Call
from tests.providers.digitalocean import refusals
from tests.providers.digitalocean.account_type import AccountType
from tests.providers.resource_type import Created, Resource
from tests.providers.values import Properties


class Nfs(AccountType):
    """It lies in a VPC, and clusters of that VPC reach it."""

    token = "digitalocean:index/nfs:Nfs"
    kind = "NFS share"

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the share."""
        with self.account.lock:
            vpc = self.account.all("VPC").get(inputs["vpcId"])
            if vpc is None or vpc["region"] != inputs["region"]:
                raise refusals.NO_VPC.error()
            host = str(ip_network(vpc["ipRange"])[-6])
            made = {"performanceTier": "high", **inputs, "status": "ACTIVE", "vpcIds": [inputs["vpcId"]], "host": host}
            identifier = self.account.add(self.kind, {**made, "mountPath": f"/123456/{inputs['name']}"})
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Let it grow, and become faster."""
        with self.account.lock:
            share = self.account.must(self.kind, old.id)
            if inputs["size"] < share["size"]:
                raise refusals.SHARE_SHRINKS.error()
            if (share["performanceTier"], inputs.get("performanceTier", "high")) == ("high", "standard"):
                raise refusals.SHARE_TIER.error()
            share.update(inputs)
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the share with everything on it."""
        with self.account.lock:
            self.account.remove(self.kind, resource.id)
