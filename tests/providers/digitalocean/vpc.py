"""`digitalocean.Vpc`: a private network of one region."""

from collections.abc import Mapping
from ipaddress import IPv4Network
from typing import Any

from stacks.target.digitalocean_region import reserved
from tests.providers.call import Call
from tests.providers.digitalocean import refusals
from tests.providers.digitalocean.account import LONG_AGO
from tests.providers.digitalocean.account_type import AccountType
from tests.providers.digitalocean.catalogue import REGIONS
from tests.providers.failure import Failure
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties

PATIENCE, LINGERING = 120.0, 600.0
"""Seconds: how long the provider asks again by itself, and how long a cluster that is gone may still be a member."""
_PRIVATE = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))


class Vpc(AccountType):
    """Ranges are the account's: no two networks of it overlap."""

    token = "digitalocean:index/vpc:Vpc"
    kind = "VPC"

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take a range that DigitalOcean takes."""
        written = inputs.get("ipRange", UNKNOWN)
        if written is UNKNOWN:
            return []
        network = IPv4Network(written)
        if 16 <= network.prefixlen <= 24 and any(network.subnet_of(each) for each in _PRIVATE):
            return []
        return [Failure(path="ipRange", reason=refusals.RANGE_SIZE.message)]

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the network."""
        with self.account.lock:
            if inputs["region"] not in REGIONS:
                raise refusals.REGION_REFUSED.error()
            if reserved(inputs["region"], inputs["ipRange"]):
                raise refusals.RANGE_RESERVED.error()
            self.account.check_range(inputs["ipRange"])
            identifier = self.account.add(self.kind, {"default": False, "createdAt": LONG_AGO, **inputs})
            self.account.must(self.kind, identifier)["vpcUrn"] = f"do:vpc:{identifier}"
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change name and description."""
        with self.account.lock:
            self.account.must(self.kind, old.id).update(inputs)
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the network, once nothing is in it; to wait for that takes no time here, but has to be allowed."""
        with self.account.lock:
            members = [each["vpcUuid"] for each in self.account.all("cluster").values()]
            members += [each["vpcId"] for each in self.account.all("NFS share").values()]
            lingers = resource.id in self.account.left and (call.limit or PATIENCE) < LINGERING
            if resource.id in members or lingers:
                raise refusals.VPC_HAS_MEMBERS.error()
            self.account.remove(self.kind, resource.id)
