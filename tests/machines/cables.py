"""Links, addresses and routes of an estate, rendered for `ip -batch`.

Public links are routed one by one, as in a cloud: no machine sees another's packets, and a firewall on the operator's
end sees all of them. The private side is one bridge, at which the operator has no address.
"""

from collections.abc import Iterable
from ipaddress import ip_network

from tests.machines import addresses
from tests.machines.addresses import OPERATOR, OUTSIDE, PRIVATE_MTU, PUBLIC_NIC

BRIDGE = "private"
TO_OUTSIDE = "outside"


def public_end(address: str) -> str:
    """Return the name of the operator's end of a machine's public link; at most 15 characters."""
    return f"public{address.rpartition('.')[2]}"


def private_end(address: str) -> str:
    """Return the name of the bridge's end of a machine's private link."""
    return "private" + "-".join(address.split(".")[2:])


def operator_lines() -> list[str]:
    """Lines for a fresh operator: its addresses, and the bridge of the private side."""
    held = (OPERATOR, addresses.MIRROR, addresses.OBJECT_STORE, addresses.REGISTRY, addresses.METADATA)
    return [
        "link set lo up",
        *(f"address add {address}/32 dev lo" for address in held),
        f"link add {BRIDGE} mtu {PRIVATE_MTU} type bridge",
        f"link set {BRIDGE} up",
    ]


def outside_cable(pid: int, elsewhere: Iterable[str]) -> list[str]:
    """Lines for the operator: the way to the outside with PID 1 `pid`, and to every address that it holds."""
    return [
        f"link add {TO_OUTSIDE} type veth peer name {PUBLIC_NIC} netns {pid}",
        f"link set {TO_OUTSIDE} up",
        f"route add {OUTSIDE} dev {TO_OUTSIDE} src {OPERATOR}",
        *(f"route add {address} via {OUTSIDE} src {OPERATOR}" for address in elsewhere if address not in HELD),
    ]


HELD = frozenset({addresses.METADATA})
"""What the operator answers itself although the outside would, too."""


def outside_lines(elsewhere: Iterable[str]) -> list[str]:
    """Lines for the outside: its addresses, and the operator as the way to everything."""
    return [*nic_lines(PUBLIC_NIC, OUTSIDE), *(f"address add {address}/32 dev lo" for address in elsewhere)]


def nic_lines(nic: str, address: str) -> list[str]:
    """Lines for one end of a routed link: a single address, and the operator as the way to everything."""
    return [
        "link set lo up",
        f"address add {address}/32 dev {nic}",
        f"link set {nic} up",
        f"route add {OPERATOR} dev {nic}",
        f"route add default via {OPERATOR} dev {nic} src {address}",
    ]


def public_cable(address: str, pid: int) -> list[str]:
    """Lines for the operator: the public link of the machine with PID 1 `pid`."""
    end, hardware = public_end(address), addresses.hardware_address(address)
    return [
        f"link add {end} type veth peer name {PUBLIC_NIC} address {hardware} netns {pid}",
        f"link set {end} up",
        f"route add {address} dev {end} src {OPERATOR}",
    ]


def private_cable(address: str, nic: str, pid: int) -> list[str]:
    """Lines for the operator: the private link of the machine with PID 1 `pid`."""
    end, hardware = private_end(address), addresses.hardware_address(address)
    return [
        f"link add {end} mtu {PRIVATE_MTU} type veth peer name {nic} mtu {PRIVATE_MTU} address {hardware} netns {pid}",
        f"link set {end} master {BRIDGE}",
        f"link set {end} up",
    ]


def private_nic_lines(nic: str, address: str) -> list[str]:
    """Lines for the machine's end of a private link."""
    length = ip_network(addresses.PRIVATE_RANGE).prefixlen
    return [f"address add {address}/{length} dev {nic}", f"link set {nic} up"]
