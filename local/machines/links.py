"""Links, addresses and routes, rendered for `ip -batch`; all of them exist in machines' namespaces only."""

from collections.abc import Mapping, Sequence

BRIDGE = "nodes"
NODE_LINK = "eth0"


def bridge_lines(gateway: str, prefix: int, listening: Sequence[str]) -> list[str]:
    """Lines for the outside: its bridge with the gateway's address, and every address that it answers on."""
    return [
        "link set lo up",
        f"link add {BRIDGE} type bridge",
        f"address add {gateway}/{prefix} dev {BRIDGE}",
        f"link set {BRIDGE} up",
        *(f"address add {address}/32 dev lo" for address in listening),
    ]


def cable_lines(node: str, pid: int) -> list[str]:
    """Lines for the outside: one cable whose other end appears in the node with PID 1 `pid`."""
    return [
        f"link add {node} type veth peer name {NODE_LINK} netns {pid}",
        f"link set {node} master {BRIDGE}",
        f"link set {node} up",
    ]


def node_lines(address: str, prefix: int, gateway: str) -> list[str]:
    """Lines for a node: its address and the outside as the way to everything."""
    return [
        "link set lo up",
        f"address add {address}/{prefix} dev {NODE_LINK}",
        f"link set {NODE_LINK} up",
        f"route add default via {gateway}",
    ]


def route_lines(pod_ranges: Mapping[str, str]) -> list[str]:
    """Lines that send each pod range to its node's address; leave the machine's own range out."""
    return [f"route add {pods} via {address}" for pods, address in pod_ranges.items()]
