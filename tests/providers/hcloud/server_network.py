"""`hcloud.ServerNetwork`: a server in a private network, attached after the server was made."""

from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud.attaching import plug_in, plug_out
from tests.providers.hcloud.hetzner_type import HetznerType, exactly_one_of
from tests.providers.hcloud.private_networks import Wish
from tests.providers.hcloud.project import Project
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties


class ServerNetwork(HetznerType):
    """Its id is made of the server's and the network's."""

    token = "hcloud:index/serverNetwork:ServerNetwork"
    kind = "server network"

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take a network or a subnet."""
        return exactly_one_of(inputs, "networkId", "subnetId") + check_wish(inputs, "")

    def outputs(self, identifier: str) -> Properties:
        """Return the interface."""
        given = super().outputs(identifier)
        return {**given, **attached(self.project, str(given["serverId"]), str(given["networkId"]))}

    def create(self, inputs: Properties, call: Call) -> Created:
        """Plug the server in."""
        server = str(inputs["serverId"])
        with self.project.lock:
            self.project.must("server", server)
        attachment = plug_in(self.project, server, inputs)
        with self.project.lock:
            identifier = f"{server}-{attachment.network}"
            self.project.add(self.kind, {**inputs, "networkId": int(attachment.network)}, identifier)
            return Created(id=identifier, outputs=self.outputs(identifier))

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return the interface while the server has it."""
        server, _, network = resource.id.partition("-")
        with self.project.lock:
            plugged = any(each.network == network for each in self.project.attachments_of(server))
        return super().read(resource, call) if plugged else None

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change alias addresses, the only thing that does not replace it."""
        server, _, network = old.id.partition("-")
        plug_out(self.project, server, network)
        plug_in(self.project, server, {**inputs, "ip": old.outputs["ip"]})
        with self.project.lock:
            self.project.must(self.kind, old.id).update(inputs)
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Plug the server out."""
        server, _, network = resource.id.partition("-")
        plug_out(self.project, server, network)
        with self.project.lock:
            self.project.must(self.kind, resource.id)
            self.project.remove(self.kind, resource.id)


def attached(project: Project, holder: str, network: str) -> Properties:
    """Return what the SDK says of an interface; empty while there is none."""
    for each in project.attachments_of(holder):
        if each.network == network:
            return {"ip": each.address, "aliasIps": list(each.alias_ips), "macAddress": each.mac_address}
    return {}


def check_wish(inputs: Mapping[str, Any], path: str) -> list[Failure]:
    """Return a failure for an address that is none or lies outside its subnet (server/resource.go, CustomizeDiff)."""
    if UNKNOWN in (inputs.get("ip"), inputs.get("subnetId"), inputs.get("networkId"), inputs.get("aliasIps")):
        return []
    try:
        wish = Wish.of({"networkId": 0, **inputs})
    except ValueError as error:
        return [Failure(path=f"{path}.ip" if path else "ip", reason=str(error))]
    if wish.subnet and wish.address and wish.address not in wish.subnet:
        return [Failure(path=path or "ip", reason="the server's address is outside the subnet's range")]
    if wish.subnet and inputs.get("networkId") and str(inputs["networkId"]) != wish.network:
        return [Failure(path=path or "subnetId", reason="the subnet does not belong to the network")]
    return []
