"""One Hetzner Cloud project: everything that is in it, in memory."""

import itertools
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.providers.hcloud import refusals
from tests.providers.hcloud.catalogue import Catalogue
from tests.providers.hcloud.firewall_rules import applied_rules
from tests.providers.hcloud.machines import Balancers, Servers, reporting
from tests.providers.hcloud.private_networks import Attachment
from tests.providers.hcloud.recording import RecordingBalancers, RecordingServers
from tests.providers.values import Properties

FIRST_ID = 4_711_001
PUBLIC_ADDRESSES = tuple(f"192.175.48.{last}" for last in range(101, 200))
"""Handed out in this order; the range is globally routable and nobody's (RFC 7535)."""

LABELS: Mapping[str, str] = {
    "server": "server name",
    "SSH key": "SSH key name",
    "primary IP": "Primary IP name",
}
"""How Hetzner names a kind whose name is taken; the others are just `name`."""


@dataclass
class Project:
    """What a token leads to. Two stacks at one project share its names and its limits, as they do at Hetzner.

    Everything is read and changed under `lock`, but machines boot without it.
    """

    servers: Servers = field(default_factory=RecordingServers)
    balancers: Balancers = field(default_factory=RecordingBalancers)
    catalogue: Catalogue = field(default_factory=Catalogue)
    limits: dict[str, int] = field(default_factory=dict)
    """Kind, such as `server`, to how many of it there may be; no entry, no limit."""
    addresses: tuple[str, ...] = PUBLIC_ADDRESSES
    """Public IPv4 addresses to hand out."""
    objects: dict[str, dict[str, Properties]] = field(default_factory=dict)
    """Kind to id to what the thing is, in the SDK's names. A test that changes something here makes drift."""
    attachments: list[Attachment] = field(default_factory=list)
    """Private interfaces of servers and load balancers."""
    user_data: dict[str, str] = field(default_factory=dict, repr=False)
    """Server id to user data, which the API never gives back."""
    history: list[str] = field(default_factory=list)
    """Creations and removals in order, as `create server rakazo-1`."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(FIRST_ID))

    def __post_init__(self) -> None:
        self.servers = reporting(self.servers)
        self.balancers = reporting(self.balancers)

    def all(self, kind: str) -> dict[str, Properties]:
        """Return everything of a kind by id; changes to it are changes of the project."""
        return self.objects.setdefault(kind, {})

    def find(self, kind: str, identifier: object) -> Properties | None:
        """Return one thing, or None."""
        return self.all(kind).get(str(identifier))

    def must(self, kind: str, identifier: object) -> Properties:
        """Return one thing; `not_found` when it is not there."""
        found = self.find(kind, identifier)
        if found is None:
            raise refusals.NOT_FOUND.error(kind=kind, id=identifier)
        return found

    def named(self, kind: str, name: str) -> tuple[str, Properties] | None:
        """Return the thing with this name or id."""
        things = self.all(kind)
        return next(((key, thing) for key, thing in things.items() if name in (key, thing.get("name"))), None)

    def check_name(self, kind: str, name: str, *, own: str = "") -> None:
        """`uniqueness_error` when another thing of the kind has the name."""
        if any(thing.get("name") == name for key, thing in self.all(kind).items() if key != own):
            raise refusals.NAME_USED.error(kind=LABELS.get(kind, "name"))

    def check_limit(self, kind: str) -> None:
        """`resource_limit_exceeded` when the project may have no more of the kind."""
        if kind in self.limits and len(self.all(kind)) >= self.limits[kind]:
            raise refusals.LIMIT_EXCEEDED.error(kind="Primary IP" if kind == "primary IP" else kind)

    def add(self, kind: str, thing: Properties, identifier: str | None = None) -> str:
        """Put a thing into the project and return its id, a numeric one unless the kind's ids are made of others'."""
        self.check_limit(kind)
        identifier = identifier or str(next(self._ids))
        self.all(kind)[identifier] = thing
        self.history.append(f"create {kind} {thing.get('name', identifier)}")
        return identifier

    def remove(self, kind: str, identifier: str) -> None:
        """Take a thing out."""
        thing = self.all(kind).pop(identifier)
        self.history.append(f"delete {kind} {thing.get('name', identifier)}")

    def check_protection(self, kind: str, identifier: str) -> None:
        """`protected` when a thing must not be deleted."""
        if self.must(kind, identifier).get("deleteProtection"):
            raise refusals.PROTECTED.error(kind=kind)

    def public_address(self) -> str:
        """Return an IPv4 address that nothing has."""
        taken = {thing.get("ipAddress") for thing in self.all("primary IP").values()}
        taken |= {thing.get("ipv4") for thing in self.all("load balancer").values()}
        free = next((address for address in self.addresses if address not in taken), None)
        if free is None:
            raise refusals.NO_ADDRESS_LEFT.error()
        return free

    def attachments_of(self, holder: str) -> list[Attachment]:
        """Return the private interfaces of a server or load balancer."""
        return [each for each in self.attachments if each.holder == holder]

    def filter(self, *servers: str) -> None:
        """Bring the rules that now apply to servers into force; called without the lock."""
        for server in servers:
            with self.lock:
                rules = applied_rules(self.all("firewall"), server, self.must("server", server).get("labels", {}))
            self.servers.apply_firewall(server, rules)

    def summary(self) -> dict[str, list[Any]]:
        """Return the names, or ids, of everything that is there; empty when nothing is left."""
        return {
            kind: sorted(thing.get("name", key) for key, thing in things.items())
            for kind, things in self.objects.items()
            if things
        }
