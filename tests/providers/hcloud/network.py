"""`hcloud.Network`: a range that subnets divide."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.hetzner_type import HetznerType
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties

_PRIVATE = tuple(map(ipaddress.IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_SMALLEST = 24
_DEFAULTS: Properties = {"deleteProtection": False, "exposeRoutesToVswitch": False}


class Network(HetznerType):
    """Private, RFC 1918, at least a /24 (docs.hetzner.cloud, create a network)."""

    token = "hcloud:index/network:Network"
    kind = "network"
    named = True

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take a range that Hetzner takes."""
        return super().check(inputs) + check_range(inputs.get("ipRange"), smallest=_SMALLEST)

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the network."""
        with self.project.lock:
            self.project.check_name(self.kind, inputs["name"])
            identifier = self.project.add(self.kind, {**_DEFAULTS, **inputs})
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change everything but the range."""
        with self.project.lock:
            network = self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
            network.clear()
            network.update({**_DEFAULTS, **inputs})
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the network, once its subnets are gone."""
        with self.project.lock:
            self.project.check_protection(self.kind, resource.id)
            subnets = self.project.all("subnet").values()
            attached = any(each.network == resource.id for each in self.project.attachments)
            if attached or any(str(each["networkId"]) == resource.id for each in subnets):
                raise refusals.NETWORK_IN_USE.error()
            self.project.remove(self.kind, resource.id)


def check_range(written: Any, *, smallest: int) -> list[Failure]:
    """Return a failure unless a range is unknown, or private and large enough."""
    if written is UNKNOWN:
        return []
    try:
        network = ipaddress.IPv4Network(written)
    except ValueError:
        return [Failure(path="ipRange", reason="must be an IPv4 network without host bits, as 10.0.0.0/16")]
    if network.prefixlen > smallest or not any(network.subnet_of(each) for each in _PRIVATE):
        return [Failure(path="ipRange", reason=f"must be private (RFC 1918) and at least a /{smallest}")]
    return []
