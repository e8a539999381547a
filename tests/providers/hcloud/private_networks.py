"""Addresses in private networks: which subnet, which address, who has it."""

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from typing import Any

from tests.providers.hcloud import refusals
from tests.providers.hcloud.machines import PrivateAddress


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A private interface of a server or load balancer."""

    holder: str
    """Id of the server or load balancer."""
    network: str
    address: str
    mac_address: str
    alias_ips: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a program says of an interface: a network or a subnet, and perhaps an address."""

    network: str
    subnet: IPv4Network | None
    address: IPv4Address | None
    alias_ips: tuple[str, ...]

    @classmethod
    def of(cls, properties: Mapping[str, Any]) -> "Wish":
        """Read `networks[]` of a server, or the inputs of an attachment; ValueError for an address that is none."""
        network, subnet = split_subnet(properties["subnetId"]) if properties.get("subnetId") else ("", None)
        return cls(
            network=network or str(properties["networkId"]),
            subnet=subnet,
            address=IPv4Address(properties["ip"]) if properties.get("ip") else None,
            alias_ips=tuple(properties.get("aliasIps", ())),
        )


def split_subnet(identifier: str) -> tuple[str, IPv4Network]:
    """Return network and range of a subnet's id, `4711-10.0.1.0/24`; ValueError when it is none."""
    network, _, written = identifier.partition("-")
    if not network.isdigit():
        raise ValueError(f"unexpected subnet id '{identifier}', expected '$NETWORK_ID-$SUBNET_IP_RANGE'")
    return network, IPv4Network(written)


def choose_address(
    wish: Wish, network: Mapping[str, Any], subnets: Iterable[Mapping[str, Any]], zone: str, taken: Iterable[str]
) -> str:
    """Return the address that Hetzner gives for a wish.

    `no_subnet_available`: no subnet is in the holder's network zone (B029), or it is full. `ip_not_available`:
    somebody has the address (B043), or nobody may have it. Without a subnet or an address in the wish it is the last
    subnet by range, which is why programs say which (B027).
    """
    there = [IPv4Network(each["ipRange"]) for each in subnets if each["networkZone"] == zone]
    if wish.subnet:
        there = [each for each in there if each == wish.subnet]
    if wish.address:
        there = [each for each in there if wish.address in each]
    if not there:
        raise refusals.NO_SUBNET.error()
    subnet = max(there, key=lambda each: each.network_address)
    never = {gateway(network["ipRange"]), str(subnet.network_address), str(subnet.broadcast_address)} | set(taken)
    if wish.address:
        if str(wish.address) in never:
            raise refusals.PRIVATE_ADDRESS_TAKEN.error()
        return str(wish.address)
    free = next((str(each) for each in subnet.hosts() if str(each) not in never), None)
    if free is None:
        raise refusals.NO_SUBNET.error()
    return free


def gateway(network_range: str) -> str:
    """Return the first address of a network's whole range, which is the router of every subnet."""
    return str(ipaddress.ip_network(network_range)[1])


def mac_address(address: str) -> str:
    """Return a hardware address with the prefix that Hetzner's private interfaces have."""
    return "86:00:" + IPv4Address(address).packed.hex(":")


def interface(attachment: Attachment, network: Mapping[str, Any]) -> PrivateAddress:
    """Return an attachment as what a machine has to be given."""
    return PrivateAddress(
        network=attachment.network,
        network_range=network["ipRange"],
        address=attachment.address,
        gateway=gateway(network["ipRange"]),
        mac_address=attachment.mac_address,
        alias_ips=attachment.alias_ips,
    )
