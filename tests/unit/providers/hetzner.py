"""A Hetzner project without an engine: each thing goes through the checks and the answers that the engine would get."""

from dataclasses import dataclass, field
from typing import Any

from tests.providers import lifecycle
from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import HcloudPackage, Project
from tests.providers.hcloud.recording import RecordingBalancers, RecordingServers
from tests.providers.resource_type import Resource, ResourceType
from tests.providers.values import Properties

CALL = Call(urn="urn", name="thing", preview=False)


@dataclass
class Hetzner:
    """One project, and what its servers and load balancers were asked for."""

    servers: RecordingServers = field(default_factory=RecordingServers)
    balancers: RecordingBalancers = field(default_factory=RecordingBalancers)

    def __post_init__(self) -> None:
        self.project = Project(servers=self.servers, balancers=self.balancers)
        self.package = HcloudPackage(self.project)

    def type(self, name: str) -> ResourceType:
        """Return a type by the last part of its token."""
        return self.package.type(f"hcloud:index/{name[0].lower()}{name[1:]}:{name}")

    def checked(self, kind: str, /, **inputs: Any) -> tuple[Properties, list[Failure]]:
        """Return the inputs as the provider completes them, and what is wrong with them."""
        return lifecycle.check(self.package, self.type(kind), inputs, {}, name="thing", seed=b"\0" * 8)

    def failures(self, kind: str, /, **inputs: Any) -> list[tuple[str, str]]:
        """Return path and reason of everything that a check finds."""
        return [(each.path, each.reason) for each in self.checked(kind, **inputs)[1]]

    def make(self, kind: str, /, **inputs: Any) -> Resource:
        """Make something; what the SDK could not read of the answer is an error of the stand-in."""
        complete, failures = self.checked(kind, **inputs)
        assert failures == []
        a_type = self.type(kind)
        made = lifecycle.create(a_type, complete, CALL)
        assert a_type.schema.fitting(made.outputs, a_type.absent) == []
        return Resource(id=made.id, inputs=complete, outputs=made.outputs)

    def change(self, kind: str, old: Resource, /, **inputs: Any) -> Resource:
        """Change something, as the engine would when nothing of it forces a replacement."""
        given = {name: value for name, value in {**old.inputs, **inputs}.items() if not name.startswith("__")}
        complete, failures = self.checked(kind, **given)
        assert failures == []
        a_type = self.type(kind)
        assert lifecycle.compare(a_type, old.inputs, complete).replaces == frozenset()
        outputs = lifecycle.update(a_type, old, complete, CALL)
        assert a_type.schema.fitting(outputs, a_type.absent) == []
        return Resource(id=old.id, inputs=complete, outputs=outputs)

    def delete(self, name: str, resource: Resource) -> None:
        """Remove something."""
        lifecycle.delete(self.type(name), resource, CALL)

    def read(self, name: str, resource: Resource) -> Resource | None:
        """Return something as it is."""
        return lifecycle.read(self.type(name), resource, CALL)

    def network(self, zone: str = "eu-central") -> tuple[Resource, Resource]:
        """Make a network with one subnet."""
        network = self.make("Network", name=f"net-{zone}", ipRange="10.0.0.0/16")
        subnet = self.make(
            "NetworkSubnet", networkId=int(network.id), ipRange="10.0.1.0/24", networkZone=zone, type="cloud"
        )
        return network, subnet

    def server(self, name: str = "rakazo-1", **inputs: Any) -> Resource:
        """Make a server that could be had anywhere in Europe."""
        return self.make("Server", **{**server(name), **inputs})


def server(name: str = "rakazo-1", **inputs: Any) -> dict[str, Any]:
    """Return inputs of a server that could be had anywhere in Europe."""
    return {"name": name, "serverType": "cx43", "location": "fsn1", "image": "debian-12", **inputs}


RULE = {"direction": "in", "protocol": "tcp", "port": "22", "sourceIps": ["198.51.100.7/32"]}
