"""Hetzner's servers as machines of an estate: what the stand-in for `hcloud` boots."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.machines.estate import Estate
from tests.machines.firewall import Rule
from tests.machines.machine import Machine
from tests.providers.hcloud.machines import FirewallRule, PrivateAddress, ServerOrder


class EstateServers:
    """Boots a whole machine for each server; `shown` is mounted in each of them, read-only."""

    def __init__(self, estate: Estate, shown: Mapping[str, Path]) -> None:
        self._estate = estate
        self._shown = shown
        self._machines: dict[str, Machine] = {}
        self.network_late_by = 0.0
        """Seconds from a server's start to its private interface; Hetzner promises none (B028)."""

    def named(self, name: str) -> Machine:
        """Return the machine of a server by the server's name."""
        return self._estate.machines[name]

    def create(self, order: ServerOrder) -> None:
        """Make a machine and switch it on."""
        if order.public_ipv4 is None:
            raise ValueError(f"server {order.name} has no public address, and a machine of an estate needs one")
        machine = self._estate.machine(
            order.name,
            order.user_data,
            public=order.public_ipv4,
            instance_id=order.id,
            public_keys=order.ssh_keys,
            shown=self._shown,
        )
        self._machines[order.id] = machine
        self.apply_firewall(order.id, order.rules)
        if order.start:
            machine.start(wait=False)

    def attach_network(self, server: str, interface: PrivateAddress) -> None:
        """Plug in the private interface, when it is time."""
        machine = self._machines[server]
        if not self.network_late_by:
            machine.attach_private(interface.address)
            return
        late = threading.Timer(self.network_late_by, machine.attach_private, [interface.address])
        late.daemon = True
        late.start()

    def detach_network(self, server: str, network: str) -> None:
        """Unplug it."""
        self._machines[server].detach_private()

    def apply_firewall(self, server: str, rules: Sequence[FirewallRule] | None) -> None:
        """Filter the public side."""
        machine = self._machines[server]
        self._estate.firewall(machine, None if rules is None else [_rule(rule) for rule in rules])

    def set_public_ipv4(self, server: str, address: str | None) -> None:
        """Refuse: no stack changes the address of a server that exists."""
        raise ValueError(f"server {server} would get another public address; a machine of an estate keeps its own")

    def power_on(self, server: str) -> None:
        """Switch on."""
        self._machines[server].start(wait=False)

    def power_off(self, server: str, *, gracefully: bool) -> None:
        """Switch off."""
        self._machines[server].stop()

    def destroy(self, server: str) -> None:
        """Remove the machine with its disk."""
        machine = self._machines.pop(server, None)
        if machine is not None:
            self._estate.remove(machine)


def _rule(rule: FirewallRule) -> Rule:
    return Rule(direction=rule.direction, protocol=rule.protocol, networks=rule.addresses, port=rule.port)
