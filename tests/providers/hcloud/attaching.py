"""Plugging servers and load balancers into private networks, and out of them."""

from collections.abc import Mapping
from typing import Any

from tests.providers.hcloud.catalogue import location
from tests.providers.hcloud.machines import PrivateAddress
from tests.providers.hcloud.private_networks import Attachment, Wish, choose_address, interface, mac_address
from tests.providers.hcloud.project import Project
from tests.providers.refused import RefusedError


def reserve_address(project: Project, kind: str, holder: str, properties: Mapping[str, Any]) -> Attachment:
    """Give a server or load balancer an address in a network; called with the lock.

    One that is in the network already keeps the address that it has, which the real provider takes for success.
    """
    wish = Wish.of(properties)
    network = project.must("network", wish.network)
    known = next((each for each in project.attachments_of(holder) if each.network == wish.network), None)
    if known:
        return known
    place = location(project.must(kind, holder)["location"])
    subnets = [each for each in project.all("subnet").values() if str(each["networkId"]) == wish.network]
    used = [each for each in project.attachments if each.network == wish.network]
    taken = [address for each in used for address in (each.address, *each.alias_ips)]
    address = choose_address(wish, network, subnets, place.network_zone if place else "", taken)
    made = Attachment(
        holder=holder,
        network=wish.network,
        address=address,
        mac_address=mac_address(address),
        alias_ips=wish.alias_ips,
    )
    project.attachments.append(made)
    return made


def as_interface(project: Project, attachment: Attachment) -> PrivateAddress:
    """Return an attachment as a machine's interface; called with the lock."""
    return interface(attachment, project.must("network", attachment.network))


def plug_in(project: Project, server: str, properties: Mapping[str, Any]) -> Attachment:
    """Give a server an address in a network and plug it in; called without the lock."""
    with project.lock:
        known = project.attachments_of(server)
        attachment = reserve_address(project, "server", server, properties)
        private = as_interface(project, attachment)
    if attachment not in known:
        try:
            project.servers.attach_network(server, private)
        except RefusedError:
            with project.lock:
                project.attachments.remove(attachment)
            raise
    return attachment


def plug_out(project: Project, server: str, network: str) -> None:
    """Take a server out of a network; called without the lock. No error when it is not in it."""
    with project.lock:
        gone = [each for each in project.attachments_of(server) if each.network == network]
        for each in gone:
            project.attachments.remove(each)
    if gone:
        project.servers.detach_network(server, network)


def forget(project: Project, holder: str) -> None:
    """Give back every private address of something that is gone; called with the lock."""
    for each in project.attachments_of(holder):
        project.attachments.remove(each)
