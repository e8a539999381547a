"""One DigitalOcean account: everything that is in it, in memory."""

import itertools
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any

from tests.providers.digitalocean import refusals
from tests.providers.digitalocean.behind import Behind, Invented
from tests.providers.digitalocean.catalogue import Catalogue
from tests.providers.values import Properties

NEVER, LONG_AGO = "2999-01-01T00:00:00Z", "2026-01-01T00:00:00Z"


@dataclass
class Account:
    """What a token leads to."""

    behind: Behind = field(default_factory=Invented)
    catalogue: Catalogue = field(default_factory=Catalogue)
    droplets: int = 25
    """The most that there may be; an account's default."""
    credentials_expire: str = NEVER
    """When a credential ends that is made from now on, RFC 3339; DigitalOcean says a week."""
    objects: dict[str, dict[str, Properties]] = field(default_factory=dict)
    """Kind to id to what the thing is, in the SDK's names. A test that changes something here makes drift."""
    leftovers: list[str] = field(default_factory=list)
    """What clusters made and their removal left: it costs on."""
    left: set[str] = field(default_factory=set)
    """Ids of VPCs of which a cluster was removed: DigitalOcean counts it among their members for some minutes more."""
    history: list[str] = field(default_factory=list)
    """Creations and removals in order."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def all(self, kind: str) -> dict[str, Properties]:
        """Return everything of a kind by id."""
        return self.objects.setdefault(kind, {})

    def must(self, kind: str, identifier: object) -> Properties:
        """Return one thing; 404 when it is not there."""
        found = self.all(kind).get(str(identifier))
        if found is None:
            raise refusals.NOT_FOUND.error(kind=kind)
        return found

    def add(self, kind: str, thing: Properties) -> str:
        """Put a thing into the account and return its id, a UUID."""
        identifier = str(uuid.UUID(int=next(self._ids)))
        self.all(kind)[identifier] = thing
        self.history.append(f"create {kind} {thing['name']}")
        return identifier

    def remove(self, kind: str, identifier: str) -> None:
        """Take a thing out."""
        thing = self.all(kind).pop(identifier)
        self.history.append(f"delete {kind} {thing['name']}")

    def check_range(self, text: str) -> None:
        """Refuse a range that a VPC or a cluster of the account has."""
        taken = [vpc["ipRange"] for vpc in self.all("VPC").values()]
        for cluster in self.all("cluster").values():
            taken += [cluster["clusterSubnet"], cluster["serviceSubnet"]]
        if any(ip_network(each).overlaps(ip_network(text)) for each in taken):
            raise refusals.RANGE_TAKEN.error()

    def check_droplets(self, more: int) -> None:
        """Refuse more Droplets than the account may have."""
        there = sum(int(pool["nodes"]) for pool in self.all("node pool").values()) + len(self.all("cluster"))
        if there + more > self.droplets:
            raise refusals.DROPLET_LIMIT.error()

    def kube_config(self, cluster: Properties) -> Properties:
        """Return a new credential of a cluster."""
        token = self.behind.token()
        return {
            "host": self.behind.server,
            "clusterCaCertificate": self.behind.authority,
            "token": token,
            "expiresAt": self.credentials_expire,
            "rawConfig": f"# of {cluster['name']}, with the token {token}",
            "clientCertificate": "",
            "clientKey": "",
        }

    def summary(self) -> dict[str, list[Any]]:
        """Return the names of everything that is there, leftovers included; empty when nothing is."""
        found = {kind: sorted(each["name"] for each in things.values()) for kind, things in self.objects.items()}
        return {kind: names for kind, names in {**found, "leftover": sorted(self.leftovers)}.items() if names}
