"""Servers and load balancers that are written down only."""

import threading
from collections.abc import Sequence
from typing import Any

from tests.providers.hcloud.machines import BalancerPlan, FirewallRule, PrivateAddress, ServerOrder


class RecordingServers:
    """Boots nothing."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        """What was asked for, in order: the method's name and its arguments."""
        self.orders: dict[str, ServerOrder] = {}
        """Servers that are there."""
        self.rules: dict[str, Sequence[FirewallRule] | None] = {}
        """Rules in force."""
        self._lock = threading.Lock()

    def create(self, order: ServerOrder) -> None:
        self._note("create", order.id)
        self.orders[order.id] = order
        self.rules[order.id] = order.rules

    def attach_network(self, server: str, interface: PrivateAddress) -> None:
        self._note("attach_network", server, interface.address)

    def detach_network(self, server: str, network: str) -> None:
        self._note("detach_network", server, network)

    def apply_firewall(self, server: str, rules: Sequence[FirewallRule] | None) -> None:
        self._note("apply_firewall", server)
        self.rules[server] = rules

    def set_public_ipv4(self, server: str, address: str | None) -> None:
        self._note("set_public_ipv4", server, address)

    def power_on(self, server: str) -> None:
        self._note("power_on", server)

    def power_off(self, server: str, *, gracefully: bool) -> None:
        self._note("power_off", server, gracefully)

    def destroy(self, server: str) -> None:
        self._note("destroy", server)
        self.orders.pop(server, None)

    def _note(self, *call: Any) -> None:
        with self._lock:
            self.calls.append(call)


class RecordingBalancers:
    """Passes nothing on."""

    def __init__(self) -> None:
        self.plans: dict[str, BalancerPlan] = {}
        """Load balancers that are there, as they were last asked to be."""

    def balance(self, plan: BalancerPlan) -> None:
        self.plans[plan.id] = plan

    def remove(self, balancer: str) -> None:
        self.plans.pop(balancer, None)
