"""The cables between the machines; all of them are made from inside the outside machine."""

from local.cluster import addresses, policy_enforcer
from local.cluster.family import Families
from local.machines import links
from local.machines.machine import Machine


def _batch(machine: Machine, lines: list[str]) -> None:
    machine.run(["ip", "-batch", "-"], stdin="\n".join(lines) + "\n", network_only=True)


def _links(machine: Machine) -> set[str]:
    text = machine.run(["ip", "-oneline", "link", "show"])
    return {line.split(": ")[1].split("@")[0] for line in text.splitlines()}


def outside_lines(families: Families) -> list[str]:
    """Lines for a fresh outside: its bridge, its addresses and the way back to the pods."""
    lines = links.bridge_lines()
    for family in families:
        lines += links.address_lines(links.BRIDGE, [family.with_prefix(family.gateway)])
        lines += links.address_lines("lo", family.listeners)
        lines += links.route_lines(family.routes(None))
    return lines


def node_lines(node: addresses.Node, families: Families) -> list[str]:
    """Lines for a node: its addresses, the outside as the way to everything, and the way to the other nodes' pods."""
    lines = links.node_lines()
    for family in families:
        lines += links.address_lines(links.NODE_LINK, [family.with_prefix(family.node_addresses[node.name])])
        lines += links.route_lines({family.everywhere: family.gateway, **family.routes(node)})
    return lines


def node_commands(families: Families) -> list[str]:
    """Shell commands for a node: it passes packets on, and lets neighbours be discovered whatever a policy says."""
    forwarding = [f"echo 1 > /proc/sys/{family.forwarding}" for family in families]
    return forwarding + policy_enforcer.rules(families)


def prepare_outside(outside: Machine, families: Families) -> None:
    """Give a fresh outside its part of the network."""
    _batch(outside, outside_lines(families))


def connect(outside: Machine, node: addresses.Node, machine: Machine, families: Families) -> None:
    """Lay the node's cable unless it lies; one end's machine may have been started anew."""
    there = _links(machine)
    if links.NODE_LINK in there:
        return
    _batch(outside, links.cable_lines(node.name, machine.pid))
    _batch(machine, node_lines(node, families))
    machine.run(["sh", "-ec", "\n".join(node_commands(families))])
