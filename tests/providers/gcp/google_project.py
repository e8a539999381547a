"""A project at Google: all that was made in it, and what stands behind its clusters."""

import copy
import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.providers.gcp import refusals
from tests.providers.gcp.catalogue import Catalogue
from tests.providers.values import Properties


@dataclass(frozen=True, kw_only=True)
class Behind:
    """What a cluster of the stand-in really is."""

    endpoint: str = "gke-0123456789.europe-west3-a.gke.goog"
    """Host, with a port perhaps, at which the DNS endpoint answers."""
    authority: str = "Q0E="
    """The certificate of the API's authority in Base64."""
    sandbox: Callable[[], None] = lambda: None
    """Called when the first pool with GKE Sandbox comes: what GKE then puts into the cluster."""


@dataclass
class GoogleProject:
    """One project; a test that changes something in `objects` makes drift."""

    name: str = "my-project-1"
    catalogue: Catalogue = field(default_factory=Catalogue)
    behind: Behind = field(default_factory=Behind)
    foreign_nats: set[str] = field(default_factory=set)
    """Subnetworks, by their path, that have a NAT of somebody else's."""
    objects: dict[str, dict[str, Properties]] = field(default_factory=dict)
    """Kind to id to what the thing is, in the SDK's names."""
    history: list[str] = field(default_factory=list)
    """Creations and removals in order, as `create node pool system`."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def all(self, kind: str) -> dict[str, Properties]:
        """Return everything of a kind by id."""
        return self.objects.setdefault(kind, {})

    def find(self, kind: str, identifier: str) -> Properties | None:
        """Return one thing, by its id or by its name, as Google takes both; None when it is not there."""
        things = self.all(kind)
        return things.get(identifier) or next(
            (each for each in things.values() if each.get("name") == identifier), None
        )

    def must(self, kind: str, identifier: str) -> Properties:
        """Return one thing; `not found` when it is not there."""
        found = self.find(kind, identifier)
        if found is None:
            raise refusals.NOT_FOUND.error(id=identifier)
        return found

    def add(self, kind: str, identifier: str, thing: Properties) -> None:
        """Put a thing into the project; `already exists` when something has its id."""
        if identifier in self.all(kind):
            raise refusals.EXISTS.error(id=identifier)
        self.all(kind)[identifier] = {**thing, "id": identifier}
        self.history.append(f"create {kind} {thing.get('name', identifier)}")

    def remove(self, kind: str, identifier: str) -> None:
        """Take a thing out."""
        thing = self.all(kind).pop(identifier, None)
        if thing is None:
            raise refusals.NOT_FOUND.error(id=identifier)
        self.history.append(f"delete {kind} {thing.get('name', identifier)}")

    def check_unused(self, kind: str, identifier: str, *users: str) -> None:
        """`already being used` when a thing of the kinds `users` mentions this one."""
        for user in users:
            for each in self.all(user).values():
                if identifier in _texts({key: value for key, value in each.items() if key != "id"}):
                    raise refusals.IN_USE.error(kind=kind, id=identifier, user=each.get("name", user))

    def number(self) -> int:
        """Return a number that nothing has."""
        return next(self._numbers)

    def outputs(self, kind: str, identifier: str) -> Properties:
        """Return a copy of what a thing is, without its id."""
        found = copy.deepcopy(self.must(kind, identifier))
        found.pop("id", None)
        return found

    def summary(self) -> dict[str, list[Any]]:
        """Return the names, or ids, of everything that is there; empty when nothing is left."""
        return {
            kind: sorted(str(thing.get("name", key)) for key, thing in things.items())
            for kind, things in self.objects.items()
            if things
        }


def _texts(value: Any) -> set[str]:
    """Return every text below a value; of a member, as `serviceAccount:…`, the address."""
    if isinstance(value, dict):
        return {text for item in value.values() for text in _texts(item)}
    if isinstance(value, list):
        return {text for item in value for text in _texts(item)}
    return {value, value.rpartition(":")[2]} if isinstance(value, str) else set()
