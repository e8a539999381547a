"""Links, addresses and routes, rendered for `ip -batch`; all of them exist in machines' namespaces only."""

import hashlib
from collections.abc import Iterable, Mapping
from ipaddress import ip_interface

BRIDGE = "nodes"
NODE_LINK = "eth0"


def bridge_lines() -> list[str]:
    """Lines for the outside: its bridge."""
    return ["link set lo up", f"link add {BRIDGE} address {hardware(BRIDGE)} type bridge", f"link set {BRIDGE} up"]


def hardware(name: str) -> str:
    """Return the hardware address of a name: the same each time, so that neighbours find a machine that is new again.

    A bridge without one takes the lowest of its ports', and changes it as a machine comes or goes.
    """
    # The bit 0x02 marks an address that no maker of hardware gives away.
    return ":".join(f"{byte:02x}" for byte in (0x02, *hashlib.sha256(name.encode()).digest()[:5]))


def address_lines(link: str, held: Iterable[str]) -> list[str]:
    """Lines that give a link addresses with a prefix length, or single ones.

    Without duplicate address detection, which lets an IPv6 address be used after a second only: there is no other.
    """
    interfaces = map(ip_interface, held)
    return [f"address add {each} dev {link}{' nodad' if each.version == 6 else ''}" for each in interfaces]  # noqa: PLR2004


def cable_lines(node: str, pid: int) -> list[str]:
    """Lines for the outside: one cable whose other end appears in the node with PID 1 `pid`."""
    return [
        f"link add {node} type veth peer name {NODE_LINK} address {hardware(node)} netns {pid}",
        f"link set {node} master {BRIDGE}",
        f"link set {node} up",
    ]


def node_lines() -> list[str]:
    """Lines for a node: its end of the cable."""
    return ["link set lo up", f"link set {NODE_LINK} up"]


def route_lines(hops: Mapping[str, str]) -> list[str]:
    """Lines that send each range to its next hop."""
    return [f"route add {target} via {address}" for target, address in hops.items()]
