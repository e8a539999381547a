"""`hcloud.SshKey`: a key that servers get for root at their birth."""

from tests.providers.call import Call
from tests.providers.hcloud import refusals
from tests.providers.hcloud.hetzner_type import HetznerType
from tests.providers.resource_type import Created, Resource
from tests.providers.tls import fingerprint
from tests.providers.values import Properties


class SshKey(HetznerType):
    """Name and fingerprint are unique in a project."""

    token = "hcloud:index/sshKey:SshKey"
    kind = "SSH key"
    named = True

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the key known."""
        try:
            md5 = fingerprint.md5(inputs["publicKey"])
        except (IndexError, ValueError):
            raise refusals.INVALID_PUBLIC_KEY.error() from None
        with self.project.lock:
            self.project.check_name(self.kind, inputs["name"])
            if any(each["fingerprint"] == md5 for each in self.project.all(self.kind).values()):
                raise refusals.FINGERPRINT_USED.error()
            identifier = self.project.add(self.kind, {"labels": {}, **inputs, "fingerprint": md5})
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change name and labels."""
        with self.project.lock:
            key = self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
            key.update({"labels": {}, **inputs})
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Forget the key; servers that have it keep it."""
        with self.project.lock:
            self.project.must(self.kind, resource.id)
            self.project.remove(self.kind, resource.id)
