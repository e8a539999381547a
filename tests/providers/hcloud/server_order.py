"""Everything that Hetzner looks at before it makes a server."""

import re
from typing import Final

from tests.providers.hcloud import refusals
from tests.providers.hcloud.catalogue import Image, ServerType, image, location
from tests.providers.hcloud.firewall_rules import applied_rules
from tests.providers.hcloud.machines import ServerOrder
from tests.providers.hcloud.placement_group import check_room
from tests.providers.hcloud.primary_ip import reserve
from tests.providers.hcloud.project import Project
from tests.providers.values import Properties

USER_DATA_BYTES: Final = 32 * 1024
DEFAULT_LOCATION: Final = "nbg1"
"""Where a server comes up when the program does not say; Hetzner decides."""
_HOST_NAME = re.compile(r"(?!-)[a-zA-Z0-9-]{1,63}(?<!-)(\.(?!-)[a-zA-Z0-9-]{1,63}(?<!-))*")


def check_offer(project: Project, inputs: Properties) -> tuple[ServerType, Image, str]:
    """Return type, image and location; refuse what is not offered, not there or not in stock (B030)."""
    offered = project.catalogue.server_type(inputs["serverType"])
    if offered is None:
        raise refusals.UNKNOWN_SERVER_TYPE.error(name=inputs["serverType"])
    wanted = inputs.get("image", "")
    system = image(wanted, offered.architecture)
    if system is None:
        raise refusals.UNKNOWN_IMAGE.error(name=wanted, architecture=offered.architecture)
    place = inputs.get("location", DEFAULT_LOCATION)
    if offered.retired and place in offered.locations:
        raise refusals.RETIRED_SERVER_TYPE.error(name=offered.name, location=place)
    if location(place) is None:
        raise refusals.UNKNOWN_LOCATION.error(name=place)
    if place not in offered.locations:
        raise refusals.NOT_OFFERED_THERE.error()
    if not project.catalogue.available(offered, place):
        raise refusals.OUT_OF_STOCK.error()
    return offered, system, place


def check_request(project: Project, inputs: Properties) -> tuple[str, ...]:
    """Refuse everything else that cannot be; return the lines of the SSH keys."""
    if not _HOST_NAME.fullmatch(inputs["name"]):
        raise refusals.NO_HOST_NAME.error()
    project.check_name("server", inputs["name"])
    if len(inputs.get("userData", "").encode()) > USER_DATA_BYTES:
        raise refusals.USER_DATA_TOO_LONG.error(limit=USER_DATA_BYTES)
    project.check_limit("server")
    if "placementGroupId" in inputs:
        check_room(project, inputs["placementGroupId"])
    for firewall in inputs.get("firewallIds", []):
        project.must("firewall", firewall)
    keys = []
    for wanted in inputs.get("sshKeys", []):
        key = project.named("SSH key", wanted)
        if key is None:
            raise refusals.UNKNOWN_SSH_KEY.error(name=wanted)
        keys.append(str(key[1]["publicKey"]))
    return tuple(keys)


def check_address(project: Project, identifier: object, version: str, place: str) -> None:
    """Refuse a reserved address that a server in this location cannot have."""
    address = project.must("primary IP", identifier)
    if address["type"] != version:
        raise refusals.ADDRESS_OTHER_VERSION.error()
    if address["location"] != place:
        raise refusals.ADDRESS_ELSEWHERE.error()
    if address["assigneeId"]:
        raise refusals.ADDRESS_ASSIGNED.error()


def public_side(inputs: Properties) -> dict[str, object]:
    """Return version to the id of a reserved address, or to 0 for one that comes with the server; absent for none."""
    wanted = (inputs.get("publicNets") or [{}])[0]
    return {
        version: wanted.get(version, 0)
        for version in ("ipv4", "ipv6")
        if wanted.get(version) or wanted.get(f"{version}Enabled", True)
    }


def assign(project: Project, server: str, name: str, place: str, side: dict[str, object]) -> None:
    """Give a server its public addresses; called with the lock, after `check_address`."""
    for version, reserved in side.items():
        identifier = str(reserved) if reserved else ""
        if not identifier:
            made = {"name": f"primary_ip-{name}-{version}", "type": version, "location": place, "autoDelete": True}
            identifier = reserve(project, made)
        project.must("primary IP", identifier).update({"assigneeId": int(server), "assigneeType": "server"})


def public_ipv4(project: Project, server: str) -> str | None:
    """Return a server's public address; called with the lock."""
    return next((each["ipAddress"] for each in _addresses(project, server) if each["type"] == "ipv4"), None)


def public_ipv6(project: Project, server: str) -> str | None:
    """Return a server's IPv6 network without its length; called with the lock."""
    return next((each["ipAddress"] for each in _addresses(project, server) if each["type"] == "ipv6"), None)


def order(project: Project, server: str, user_data: str, keys: tuple[str, ...]) -> ServerOrder:
    """Return what the machines behind the stand-in get; called with the lock."""
    made = project.must("server", server)
    address = public_ipv4(project, server)
    return ServerOrder(
        id=server,
        name=made["name"],
        server_type=made["serverType"],
        location=made["location"],
        image=made["image"],
        user_data=user_data,
        ssh_keys=keys,
        public_ipv4=address,
        rules=applied_rules(project.all("firewall"), server, made.get("labels", {})),
        start=bool(public_side(made)),
    )


def _addresses(project: Project, server: str) -> list[Properties]:
    return [each for each in project.all("primary IP").values() if str(each["assigneeId"]) == server]
