"""`hcloud.Server`: a machine."""

import base64
import hashlib
from collections.abc import Mapping
from typing import Any, Final

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals, server_order
from tests.providers.hcloud.attaching import forget, plug_in
from tests.providers.hcloud.firewall_rules import applies
from tests.providers.hcloud.hetzner_type import HetznerType
from tests.providers.hcloud.primary_ip import check_datacenter, release
from tests.providers.hcloud.private_networks import Wish
from tests.providers.hcloud.server_changes import carry_out
from tests.providers.hcloud.server_network import attached, check_wish
from tests.providers.refused import RefusedError, UnfinishedError
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties

DEFAULTS: Final[Properties] = {
    "backups": False,
    "deleteProtection": False,
    "ignoreRemoteFirewallIds": False,
    "keepDisk": False,
    "rebuildProtection": False,
    "shutdownBeforeDeletion": False,
}


class Server(HetznerType):
    """Its state has a digest of the user data, as the real provider's has; the inputs have it whole."""

    token = "hcloud:index/server:Server"
    kind = "server"
    named = True
    unreadable = frozenset({"userData", "sshKeys", "keepDisk", "shutdownBeforeDeletion", "allowDeprecatedImages"})
    absent = frozenset({"datacenter", "ipv4Address", "ipv6Address", "ipv6Network"})

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take networks that make sense together, and protections that go together."""
        failures = super().check(inputs) + check_datacenter(inputs)
        if inputs.get("deleteProtection", False) != inputs.get("rebuildProtection", False):
            failures.append(Failure(path="rebuildProtection", reason=refusals.PROTECTIONS_DIFFER.message))
        networks = [] if inputs.get("networks") in (None, UNKNOWN) else inputs["networks"]
        for index, each in enumerate(networks):
            path = f"networks[{index}]"
            if not each.get("networkId") and not each.get("subnetId"):
                failures.append(Failure(path=path, reason="must specify either networkId or subnetId"))
            else:
                failures += check_wish(each, path)
        return failures

    def outputs(self, identifier: str) -> Properties:
        """Return the server with its addresses, firewalls and interfaces."""
        server = super().outputs(identifier)
        firewalls = self.project.all("firewall")
        ipv6 = server_order.public_ipv6(self.project, identifier)
        outputs = {
            **server,
            "backupWindow": "",
            "firewallIds": [int(key) for key, each in firewalls.items() if applies(each, identifier, _labels(server))],
            "ipv4Address": server_order.public_ipv4(self.project, identifier),
            "ipv6Address": f"{ipv6}1" if ipv6 else None,
            "ipv6Network": f"{ipv6}/64" if ipv6 else None,
        }
        if "networks" in server:
            outputs["networks"] = [
                {**each, **attached(self.project, identifier, Wish.of(each).network)} for each in server["networks"]
            ]
        if identifier in self.project.user_data:
            outputs["userData"] = _digest(self.project.user_data[identifier])
        return outputs

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the server, then plug it into its networks, when it boots already."""
        side = server_order.public_side(inputs)
        with self.project.lock:
            offered, system, place = server_order.check_offer(self.project, inputs)
            keys = server_order.check_request(self.project, inputs)
            for version, reserved in side.items():
                if reserved:
                    server_order.check_address(self.project, reserved, version, place)
            kept = {name: value for name, value in inputs.items() if name not in ("userData", "firewallIds")}
            made = {**DEFAULTS, **kept, "image": inputs.get("image", system.name), "location": place}
            made |= {"status": "running" if side else "off", "primaryDiskSize": offered.disk_gb}
            identifier = self.project.add(self.kind, made)
            if "userData" in inputs:
                self.project.user_data[identifier] = inputs["userData"]
            try:
                server_order.assign(self.project, identifier, made["name"], place, side)
            except RefusedError:
                self._forget(identifier)
                raise
            for firewall in inputs.get("firewallIds", []):
                self.project.must("firewall", firewall)["applyTos"].append({"server": int(identifier)})
            order = server_order.order(self.project, identifier, inputs.get("userData", ""), keys)
        try:
            self.project.servers.create(order)
        except RefusedError:
            self._remove(identifier)
            raise
        try:
            for network in inputs.get("networks", []):
                plug_in(self.project, identifier, network)
            if not side:
                self._switch_on(identifier)
        except RefusedError as refusal:
            raise self._unfinished(identifier, refusal) from refusal
        with self.project.lock:
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Carry out what differs from what is there, which finishes an unfinished creation too.

        What was carried out before a refusal stays, as with the real provider, and the state does not know of it.
        """
        with self.project.lock:
            self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
        carry_out(self.project, old.id, {**DEFAULTS, **inputs})
        with self.project.lock:
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the server, its disk, the addresses that came with it and its places in networks and firewalls."""
        with self.project.lock:
            self.project.check_protection(self.kind, resource.id)
            gracefully = self.project.must(self.kind, resource.id)["shutdownBeforeDeletion"]
        if gracefully:
            self.project.servers.power_off(resource.id, gracefully=True)
        self._remove(resource.id)

    def _remove(self, identifier: str) -> None:
        self.project.servers.destroy(identifier)
        self._forget(identifier)

    def _forget(self, identifier: str) -> None:
        with self.project.lock:
            for firewall in self.project.all("firewall").values():
                firewall["applyTos"] = [each for each in firewall["applyTos"] if str(each.get("server")) != identifier]
            for kind in ("server network", "load balancer target"):
                things = self.project.all(kind)
                for key in [key for key, each in things.items() if str(each.get("serverId")) == identifier]:
                    self.project.remove(kind, key)
            for volume in self.project.all("volume").values():
                if str(volume["serverId"]) == identifier:
                    volume["serverId"] = 0
            release(self.project, identifier)
            forget(self.project, identifier)
            self.project.user_data.pop(identifier, None)
            self.project.remove(self.kind, identifier)

    def _switch_on(self, identifier: str) -> None:
        self.project.servers.power_on(identifier)
        with self.project.lock:
            self.project.must(self.kind, identifier)["status"] = "running"

    def _unfinished(self, identifier: str, refusal: RefusedError) -> UnfinishedError:
        with self.project.lock:
            return UnfinishedError(str(refusal), resource_id=identifier, outputs=self.outputs(identifier))


def _labels(server: Mapping[str, Any]) -> Mapping[str, str]:
    labels: Mapping[str, str] = server.get("labels", {})
    return labels


def _digest(user_data: str) -> str:
    """Return what the real provider keeps of user data in its outputs (server/resource.go, userDataHashSum)."""
    return base64.b64encode(hashlib.sha1(user_data.encode()).digest()).decode()  # noqa: S324 - the format is given
