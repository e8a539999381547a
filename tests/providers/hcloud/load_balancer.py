"""`hcloud.LoadBalancer`: passes traffic on; its parts are resources of their own."""

from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.attaching import forget
from tests.providers.hcloud.balancing import balance, network_of
from tests.providers.hcloud.catalogue import BALANCER_TYPES, LOCATIONS, location
from tests.providers.hcloud.hetzner_type import HetznerType, exactly_one_of
from tests.providers.hcloud.primary_ip import release
from tests.providers.hcloud.server_order import check_address
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties

_PARTS = ("load balancer network", "load balancer service", "load balancer target")
_ROUND_ROBIN = {"type": "round_robin"}


class LoadBalancer(HetznerType):
    """Firewalls do not apply to it (B039)."""

    token = "hcloud:index/loadBalancer:LoadBalancer"
    kind = "load balancer"
    named = True

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take one place for it; targets are resources of their own, the old input `targets` does not work."""
        failures = super().check(inputs) + exactly_one_of(inputs, "location", "networkZone")
        if inputs.get("targets"):
            failures.append(Failure(path="targets", reason="is deprecated; use LoadBalancerTarget"))
        algorithm = inputs.get("algorithm", _ROUND_ROBIN)
        if algorithm is not UNKNOWN and algorithm.get("type") not in (UNKNOWN, "round_robin", "least_connections"):
            failures.append(Failure(path="algorithm.type", reason="must be one of round_robin, least_connections"))
        return failures

    def outputs(self, identifier: str) -> Properties:
        """Return the load balancer with its private address."""
        private = network_of(self.project, identifier)
        return {
            **super().outputs(identifier),
            "networkId": int(private.network) if private else 0,
            "networkIp": private.address if private else "",
        }

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the load balancer."""
        self._check_type(inputs)
        with self.project.lock:
            self.project.check_name(self.kind, inputs["name"])
            zone = inputs.get("networkZone")
            there = [each.name for each in LOCATIONS if each.network_zone == zone]
            place = location(inputs.get("location") or (there or [""])[0])
            if place is None:
                raise refusals.UNKNOWN_LOCATION.error(name=inputs.get("location", zone))
            addresses = self._addresses(inputs, place.name)
            made = {
                "algorithm": _ROUND_ROBIN,
                "deleteProtection": False,
                "labels": {},
                "targets": [],
                **inputs,
                "location": place.name,
                "networkZone": place.network_zone,
                **addresses,
            }
            identifier = self.project.add(self.kind, made)
            for reserved in filter(None, (made["ipv4Id"], made["ipv6Id"])):
                address = self.project.must("primary IP", reserved)
                address.update({"assigneeId": int(identifier), "assigneeType": "load_balancer"})
            outputs = self.outputs(identifier)
        balance(self.project, identifier)
        return Created(id=identifier, outputs=outputs)

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change everything but its place."""
        self._check_type(inputs)
        with self.project.lock:
            balancer = self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
            balancer.update({"labels": {}, "deleteProtection": False, **inputs})
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the load balancer with all its parts."""
        with self.project.lock:
            self.project.check_protection(self.kind, resource.id)
        self.project.balancers.remove(resource.id)
        with self.project.lock:
            for kind in _PARTS:
                things = self.project.all(kind)
                for key in [key for key, each in things.items() if str(each["loadBalancerId"]) == resource.id]:
                    self.project.remove(kind, key)
            release(self.project, resource.id)
            forget(self.project, resource.id)
            self.project.remove(self.kind, resource.id)

    def _addresses(self, inputs: Mapping[str, Any], place: str) -> Properties:
        """Return the reserved addresses, or ones that come and go with it and have no id here."""
        found = {"ipv4": "", "ipv4Id": 0, "ipv6": "2001:db8:ffff::1", "ipv6Id": 0}
        for version in ("ipv4", "ipv6"):
            if reserved := inputs.get(f"{version}Id"):
                check_address(self.project, reserved, version, place)
                found[version] = self.project.must("primary IP", reserved)["ipAddress"]
                found[f"{version}Id"] = reserved
        return {**found, "ipv4": found["ipv4"] or self.project.public_address()}

    @staticmethod
    def _check_type(inputs: Mapping[str, Any]) -> None:
        if inputs["loadBalancerType"] not in BALANCER_TYPES:
            raise refusals.UNKNOWN_BALANCER_TYPE.error(name=inputs["loadBalancerType"])
