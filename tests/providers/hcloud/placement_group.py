"""`hcloud.PlacementGroup`: servers that are on different hosts."""

from collections.abc import Mapping
from typing import Any, Final

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.hetzner_type import HetznerType, one_of
from tests.providers.hcloud.project import Project
from tests.providers.resource_type import Created, Resource
from tests.providers.values import Properties

MEMBERS: Final = 10
"""Servers of a spread group at most (docs.hetzner.com, placement groups)."""


class PlacementGroup(HetznerType):
    """There is one type, `spread`."""

    token = "hcloud:index/placementGroup:PlacementGroup"
    kind = "placement group"
    named = True

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take the type that there is."""
        return super().check(inputs) + one_of(inputs, "type", "spread")

    def outputs(self, identifier: str) -> Properties:
        """Return the group with its members."""
        return {**super().outputs(identifier), "servers": list(map(int, members(self.project, identifier)))}

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the group."""
        with self.project.lock:
            self.project.check_name(self.kind, inputs["name"])
            identifier = self.project.add(self.kind, dict(inputs))
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change name and labels."""
        with self.project.lock:
            group = self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
            group.clear()
            group.update(inputs)
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the group, once it is empty."""
        with self.project.lock:
            self.project.must(self.kind, resource.id)
            if members(self.project, resource.id):
                raise refusals.GROUP_IN_USE.error()
            self.project.remove(self.kind, resource.id)


def members(project: Project, group: str) -> list[str]:
    """Return the ids of a group's servers."""
    servers = project.all("server")
    return [key for key, server in servers.items() if str(server.get("placementGroupId", "")) == group]


def check_room(project: Project, group: object) -> None:
    """`placement_group_member_limit_reached` when a group has no place for another server (B032)."""
    if project.find("placement group", group) is None:
        raise refusals.UNKNOWN_PLACEMENT_GROUP.error(id=group)
    if len(members(project, str(group))) >= MEMBERS:
        raise refusals.GROUP_FULL.error(id=group, limit=MEMBERS)
