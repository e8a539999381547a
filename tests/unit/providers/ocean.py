"""A DigitalOcean account without an engine: all goes through the checks and answers that the engine would get."""

from dataclasses import dataclass, field, replace
from typing import Any

from tests.providers import lifecycle
from tests.providers.call import Call
from tests.providers.digitalocean import Account, DigitaloceanPackage
from tests.providers.failure import Failure
from tests.providers.lifecycle import Comparison
from tests.providers.resource_type import Resource, ResourceType
from tests.providers.values import Properties

CALL = Call(urn="urn", name="thing", preview=False)


@dataclass
class Ocean:
    """One account."""

    account: Account = field(default_factory=Account)

    def __post_init__(self) -> None:
        self.package = DigitaloceanPackage(self.account)

    def type(self, name: str) -> ResourceType:
        """Return a type by the last part of its token."""
        return self.package.type(f"digitalocean:index/{name[0].lower()}{name[1:]}:{name}")

    def checked(self, kind: str, inputs: Properties) -> tuple[Properties, list[Failure]]:
        """Return the inputs as the provider completes them, and what is wrong with them."""
        return lifecycle.check(self.package, self.type(kind), inputs, {}, name="thing", seed=b"\0" * 8)

    def make(self, kind: str, /, **inputs: Any) -> Resource:
        """Make something; what the SDK could not read of the answer is an error of the stand-in."""
        complete, failures = self.checked(kind, inputs)
        assert failures == []
        a_type = self.type(kind)
        made = lifecycle.create(a_type, complete, CALL)
        assert a_type.schema.fitting(_plain(made.outputs), a_type.absent) == []
        return Resource(id=made.id, inputs=complete, outputs=made.outputs)

    def compare(self, kind: str, old: Resource, /, **inputs: Any) -> Comparison:
        """Return what a change would do."""
        given = {name: value for name, value in {**old.inputs, **inputs}.items() if not name.startswith("__")}
        return lifecycle.compare(self.type(kind), old.inputs, self.checked(kind, given)[0])

    def change(self, kind: str, old: Resource, /, **inputs: Any) -> Properties:
        """Change something in place, and return what it is then."""
        given = {name: value for name, value in {**old.inputs, **inputs}.items() if not name.startswith("__")}
        outputs = lifecycle.update(self.type(kind), old, self.checked(kind, given)[0], CALL)
        assert self.type(kind).schema.fitting(_plain(outputs), frozenset()) == []
        return outputs

    def delete(self, kind: str, old: Resource, limit: float = 0.0) -> None:
        """Remove something; `limit` is how many seconds the program gives it."""
        lifecycle.delete(self.type(kind), old, replace(CALL, limit=limit))

    def ask(self, name: str, /, **arguments: Any) -> Properties:
        """Ask a data source; what the SDK could not read of the answer is an error of the stand-in."""
        schema, function = self.package.function(f"digitalocean:index/{name}:{name}")
        assert schema.check(arguments) == []
        answer = function(arguments, CALL)
        assert schema.fitting(answer) == []
        return answer

    def vpc(self, **inputs: Any) -> Resource:
        """Make a network."""
        return self.make("Vpc", **{"name": "net", "region": "fra1", "ipRange": "10.124.0.0/20", **inputs})

    def cluster(self, vpc: Resource, **inputs: Any) -> Resource:
        """Make a cluster in a network."""
        wanted: dict[str, Any] = {
            "name": "team",
            "region": "fra1",
            "version": "1.36.3-do.0",
            "ha": False,
            "vpcUuid": vpc.id,
            "clusterSubnet": "10.112.0.0/16",
            "serviceSubnet": "10.113.0.0/19",
            "nodePool": {"name": "default", "size": "s-1vcpu-2gb", "nodeCount": 1},
        }
        return self.make("KubernetesCluster", **{**wanted, **inputs})

    def pool(self, cluster: Resource, **inputs: Any) -> Resource:
        """Make a pool of a cluster."""
        wanted = {"clusterId": cluster.id, "name": "more", "size": "s-4vcpu-8gb", "nodeCount": 1}
        return self.make("KubernetesNodePool", **{**wanted, **inputs})


def _plain(outputs: Properties) -> Properties:
    return {name: getattr(value, "value", value) for name, value in outputs.items()}
