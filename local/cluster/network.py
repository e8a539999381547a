"""The cables between the machines; all of them are made from inside the outside machine."""

from local.cluster import addresses
from local.machines import links
from local.machines.machine import Machine


def _batch(machine: Machine, lines: list[str]) -> None:
    machine.run(["ip", "-batch", "-"], stdin="\n".join(lines) + "\n", network_only=True)


def _links(machine: Machine) -> set[str]:
    text = machine.run(["ip", "-oneline", "link", "show"])
    return {line.split(": ")[1].split("@")[0] for line in text.splitlines()}


def prepare_outside(outside: Machine) -> None:
    """Give a fresh outside its bridge, its addresses and the way back to the pods."""
    lines = links.bridge_lines(addresses.GATEWAY, addresses.PREFIX, tuple(addresses.LISTENERS))
    _batch(outside, lines + links.route_lines(addresses.other_pod_ranges(None)))


def connect(outside: Machine, node: addresses.Node, machine: Machine) -> None:
    """Lay the node's cable unless it lies; one end's machine may have been started anew."""
    there = _links(machine)
    if links.NODE_LINK in there:
        return
    _batch(outside, links.cable_lines(node.name, machine.pid))
    lines = links.node_lines(node.address, addresses.PREFIX, addresses.GATEWAY)
    _batch(machine, lines + links.route_lines(addresses.other_pod_ranges(node)))
    machine.run(["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"])
