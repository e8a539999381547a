"""From firewalls to the rules that a server's public interface has."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from tests.providers.hcloud.machines import FirewallRule
from tests.providers.values import Properties


def applied_rules(
    firewalls: Mapping[str, Properties], server: str, labels: Mapping[str, str]
) -> tuple[FirewallRule, ...] | None:
    """Return the rules of all firewalls of a server together; None when it has no firewall."""
    applied = [each for each in firewalls.values() if applies(each, server, labels)]
    if not applied:
        return None
    return tuple(_rule(rule) for firewall in applied for rule in firewall.get("rules", []))


def applies(firewall: Mapping[str, Any], server: str, labels: Mapping[str, str]) -> bool:
    """Whether a firewall applies to a server, by the server's id or by its labels."""
    return any(
        str(each["server"]) == server if each.get("server") else selects(each.get("labelSelector", ""), labels)
        for each in firewall.get("applyTos", [])
    )


def selects(selector: str, labels: Mapping[str, str]) -> bool:
    """Whether a label selector of keys and of `key=value`, which all have to hold, matches; an empty one does not."""
    parts = [part.strip().replace("==", "=") for part in selector.split(",") if part.strip()]
    return bool(parts) and all(
        labels.get(part.partition("=")[0]) == part.partition("=")[2] if "=" in part else part in labels
        for part in parts
    )


def normalised(address: str) -> str:
    """Return an address or network as a network in its shortest form; ValueError, also for host bits."""
    return str(ipaddress.ip_network(address.strip(), strict=True))


def _rule(rule: Mapping[str, Any]) -> FirewallRule:
    inwards = rule["direction"] == "in"
    return FirewallRule(
        direction=rule["direction"],
        protocol=rule["protocol"],
        port=rule.get("port"),
        addresses=tuple(map(normalised, rule.get("sourceIps" if inwards else "destinationIps", []))),
    )
