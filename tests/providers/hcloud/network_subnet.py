"""`hcloud.NetworkSubnet`: where in a network the machines of a network zone are."""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import Any

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.catalogue import LOCATIONS
from tests.providers.hcloud.hetzner_type import HetznerType, one_of
from tests.providers.hcloud.network import check_range
from tests.providers.hcloud.private_networks import gateway
from tests.providers.refused import RefusedError
from tests.providers.resource_type import Created, Resource
from tests.providers.values import Properties

_SMALLEST = 30


class NetworkSubnet(HetznerType):
    """Its id is made of the network's and its range, as the real provider makes it."""

    token = "hcloud:index/networkSubnet:NetworkSubnet"
    kind = "subnet"

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take types and zones that there are; a vSwitch leads to machines that the stand-in does not have."""
        zones = sorted({each.network_zone for each in LOCATIONS})
        return [
            *one_of(inputs, "type", "cloud", "server"),
            *one_of(inputs, "networkZone", *zones),
            *check_range(inputs.get("ipRange"), smallest=_SMALLEST),
        ]

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the subnet."""
        wanted = IPv4Network(inputs["ipRange"])
        with self.project.lock:
            network = self.project.must("network", inputs["networkId"])
            if not wanted.subnet_of(IPv4Network(network["ipRange"])):
                raise refusals.RANGE_OUTSIDE.error()
            if any(wanted.overlaps(IPv4Network(each["ipRange"])) for each in self._siblings(inputs["networkId"])):
                raise refusals.RANGE_OVERLAPS.error()
            identifier = f"{inputs['networkId']}-{wanted}"
            self.project.add(self.kind, {**inputs, "gateway": gateway(network["ipRange"])}, identifier)
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Never asked for: every input replaces."""
        raise RefusedError(f"a subnet cannot be changed, not even by {call.name}")

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the subnet, once nothing has an address of it (B036)."""
        with self.project.lock:
            subnet = self.project.must(self.kind, resource.id)
            inside = IPv4Network(subnet["ipRange"])
            network = str(subnet["networkId"])
            if any(
                each.network == network and IPv4Address(each.address) in inside for each in self.project.attachments
            ):
                raise refusals.SUBNET_IN_USE.error()
            self.project.remove(self.kind, resource.id)

    def _siblings(self, network: int) -> list[Properties]:
        return [each for each in self.project.all(self.kind).values() if each["networkId"] == network]
