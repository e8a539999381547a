"""`hcloud.PrimaryIp`: a public address that outlives its server."""

from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.catalogue import location
from tests.providers.hcloud.hetzner_type import HetznerType, exactly_one_of, one_of
from tests.providers.hcloud.project import Project
from tests.providers.resource_type import Created, Resource
from tests.providers.values import Properties

UNASSIGNED = "unassigned"
"""`assigneeType` of an address that nothing has, since 1 August 2026 (hcloud-go v2.39.0, changelog)."""


class PrimaryIp(HetznerType):
    """An address of a location; `datacenter` is no longer taken (B031)."""

    token = "hcloud:index/primaryIp:PrimaryIp"
    kind = "primary IP"
    named = True
    absent = frozenset({"datacenter"})

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take exactly one place for it (terraform-provider-hcloud v1.68.0, primaryip/resource.go)."""
        failures = [*one_of(inputs, "type", "ipv4", "ipv6"), *check_datacenter(inputs)]
        if ("assigneeId" in inputs) and "assigneeType" not in inputs:
            failures.append(Failure(path="assigneeId", reason="must be given together with assigneeType"))
        return super().check(inputs) + (failures or exactly_one_of(inputs, "location", "assigneeId"))

    def create(self, inputs: Properties, call: Call) -> Created:
        """Reserve an address."""
        with self.project.lock:
            self.project.check_name(self.kind, inputs["name"])
            place = inputs.get("location")
            if "assigneeId" in inputs:
                self._check_stopped(inputs["assigneeId"])
                place = self.project.must("server", inputs["assigneeId"])["location"]
            identifier = reserve(self.project, {**inputs, "location": place})
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change names and flags, and whom it is assigned to, whose server has to be off."""
        with self.project.lock:
            address = self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
            assignee = inputs.get("assigneeId", address["assigneeId"])
            if assignee != address["assigneeId"]:
                for server in filter(None, (assignee, address["assigneeId"])):
                    self._check_stopped(server)
                address["assigneeType"] = "server" if assignee else UNASSIGNED
            flags = {"labels": {}, "autoDelete": False, "deleteProtection": False}
            address.update({**flags, **inputs, "assigneeId": assignee})
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Give the address back, once no server has it."""
        with self.project.lock:
            self.project.check_protection(self.kind, resource.id)
            if self.project.must(self.kind, resource.id)["assigneeId"]:
                raise refusals.ADDRESS_STILL_ASSIGNED.error()
            self.project.remove(self.kind, resource.id)

    def _check_stopped(self, server: object) -> None:
        if self.project.must("server", server)["status"] != "off":
            raise refusals.SERVER_RUNS.error()


def reserve(project: Project, wanted: Properties) -> str:
    """Put an address into the project and return its id; called with the lock."""
    if location(wanted["location"]) is None:
        raise refusals.UNKNOWN_LOCATION.error(name=wanted["location"])
    version4 = wanted["type"] == "ipv4"
    address = project.public_address() if version4 else f"2001:db8:{len(project.all('primary IP')) + 1:x}::"
    return project.add(
        "primary IP",
        {
            "labels": {},
            "autoDelete": False,
            "deleteProtection": False,
            "assigneeId": 0,
            "assigneeType": "server" if wanted.get("assigneeId") else UNASSIGNED,
            "ipAddress": address,
            "ipNetwork": "" if version4 else f"{address}/64",
            **wanted,
        },
    )


def release(project: Project, server: str) -> None:
    """Take a server's addresses from it; those that came with it go with it. Called with the lock."""
    for identifier, address in list(project.all("primary IP").items()):
        if str(address["assigneeId"]) == server:
            if address["autoDelete"]:
                project.remove("primary IP", identifier)
            else:
                address.update({"assigneeId": 0, "assigneeType": UNASSIGNED})


def check_datacenter(inputs: Mapping[str, Any]) -> list[Failure]:
    """Refuse what Hetzner's API has lost on 1 July 2026, as the real provider does since v1.67.0 (B031)."""
    if inputs.get("datacenter") is None:
        return []
    return [Failure(path="datacenter", reason="is removed since 1 July 2026; write `location`, such as fsn1")]
