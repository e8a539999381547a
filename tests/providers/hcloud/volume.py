"""`hcloud.Volume`: a disk that outlives its server; the stand-in keeps account of it and plugs nothing in."""

from collections.abc import Mapping
from typing import Any, Final

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.catalogue import location
from tests.providers.hcloud.hetzner_type import HetznerType, exactly_one_of, one_of
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties

SMALLEST_GB: Final = 10


class Volume(HetznerType):
    """In a location, or where its server is."""

    token = "hcloud:index/volume:Volume"
    kind = "volume"
    named = True
    unreadable = frozenset({"automount", "format"})

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take one place and a size."""
        failures = super().check(inputs) + exactly_one_of(inputs, "location", "serverId")
        if inputs["size"] is not UNKNOWN and inputs["size"] < SMALLEST_GB:
            failures.append(Failure(path="size", reason=f"must be at least {SMALLEST_GB} GB"))
        return failures + one_of(inputs, "format", "ext4", "xfs")

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the volume."""
        with self.project.lock:
            self.project.check_name(self.kind, inputs["name"])
            server = inputs.get("serverId", 0)
            place = self.project.must("server", server)["location"] if server else inputs["location"]
            if location(place) is None:
                raise refusals.UNKNOWN_LOCATION.error(name=place)
            made = {"deleteProtection": False, **inputs, "location": place, "serverId": server}
            identifier = self.project.add(self.kind, made)
            made["linuxDevice"] = f"/dev/disk/by-id/scsi-0HC_Volume_{identifier}"
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change name, labels, server and protection; a volume only grows."""
        with self.project.lock:
            volume = self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
            if inputs["size"] < volume["size"]:
                raise refusals.VOLUME_SHRINKS.error()
            volume.update({"deleteProtection": False, "serverId": 0, **inputs})
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the volume; the real provider unplugs it first."""
        with self.project.lock:
            self.project.check_protection(self.kind, resource.id)
            self.project.remove(self.kind, resource.id)
