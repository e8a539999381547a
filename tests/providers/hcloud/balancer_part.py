"""What services, targets and networks of a load balancer have in common."""

from abc import abstractmethod

from tests.providers.call import Call
from tests.providers.hcloud.balancing import balance
from tests.providers.hcloud.hetzner_type import HetznerType
from tests.providers.resource_type import Created, Resource
from tests.providers.values import Properties


class BalancerPart(HetznerType):
    """A part is made and changed in the project, and then the load balancer is made to be so."""

    def create(self, inputs: Properties, call: Call) -> Created:
        """Add the part."""
        balancer = str(inputs["loadBalancerId"])
        with self.project.lock:
            self.project.must("load balancer", balancer)
            identifier, part = self.made(inputs)
            self.project.add(self.kind, part, identifier)
            outputs = self.outputs(identifier)
        balance(self.project, balancer)
        return Created(id=identifier, outputs=outputs)

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change the part."""
        with self.project.lock:
            part = self.project.must(self.kind, old.id)
            part.update(inputs)
            balancer = str(part["loadBalancerId"])
            outputs = self.outputs(old.id)
        balance(self.project, balancer)
        return outputs

    def delete(self, resource: Resource, call: Call) -> None:
        """Take the part away."""
        with self.project.lock:
            balancer = str(self.project.must(self.kind, resource.id)["loadBalancerId"])
            self.unmade(resource.id)
            self.project.remove(self.kind, resource.id)
        balance(self.project, balancer)

    @abstractmethod
    def made(self, inputs: Properties) -> tuple[str, Properties]:
        """Return id and properties of a new part; refuse what cannot be. Called with the lock."""

    def unmade(self, identifier: str) -> None:
        """Give back what a part had besides; called with the lock."""
