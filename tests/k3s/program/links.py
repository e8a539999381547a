"""What a node knows of its own links."""

import ipaddress
import json
from dataclasses import dataclass
from typing import Any

from tests.k3s.program.children import run
from tests.k3s.program.refusal import Refusal


@dataclass(frozen=True)
class Link:
    """A link with its first address."""

    name: str
    address: str
    mtu: int
    """Bytes."""


def _json(*arguments: str) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = json.loads(run(["ip", "-json", "-4", *arguments]) or "[]")
    return content


def default_link() -> Link:
    """Return the link of the default route; Refusal when there is none, as on a machine cut off by mistake."""
    routes = _json("route", "show", "default")
    if not routes:
        raise Refusal("failed to get default interface: unable to find default route")
    return named_link(routes[0]["dev"])


def named_link(name: str) -> Link:
    """Return a link by its name; Refusal when it is missing or has no IPv4 address (yet)."""
    every: list[dict[str, Any]] = json.loads(run(["ip", "-json", "-4", "address", "show"]) or "[]")
    for entry in every:
        if entry.get("ifname") == name:
            usable = [each["local"] for each in entry.get("addr_info", []) if each.get("scope") == "global"]
            if not usable:
                break
            return Link(name, usable[0], entry["mtu"])
    raise Refusal(f"flannel-iface: failed to find IPv4 address for interface {name}")


def owned(address: str) -> bool:
    """Whether the address is one of this machine's."""
    wanted = ipaddress.ip_address(address)
    return any(
        ipaddress.ip_address(each["local"]) == wanted
        for entry in _json("address", "show")
        for each in entry.get("addr_info", [])
    )
