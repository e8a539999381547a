"""One AWS account in one region: everything that is in it, in memory."""

import itertools
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.providers.aws import refusals
from tests.providers.aws.catalogue import Catalogue
from tests.providers.values import Properties


class HandedOut(Protocol):
    """The cluster that stands behind one of EKS."""

    @property
    def server(self) -> str:
        """The API's address."""

    @property
    def authority(self) -> str:
        """The certificate of the API's authority in Base64."""


@dataclass(frozen=True)
class Nowhere:
    """No cluster at all, for tests without an engine."""

    server: str = "https://192.0.2.1:443"
    authority: str = "Q0E="


@dataclass
class Account:
    """What credentials lead to. Everything is read and changed under `lock`."""

    number: str = "111122223333"
    region: str = "eu-central-1"
    caller: str = "arn:aws:sts::111122223333:assumed-role/rakazo-deploy/pulumi"
    cluster: HandedOut = field(default_factory=Nowhere)
    installed: Callable[[str], None] = lambda _: None
    """Told about every add-on that was installed, since a test may have to play its part."""
    catalogue: Catalogue = field(default_factory=Catalogue)
    objects: dict[str, dict[str, Properties]] = field(default_factory=dict)
    """Kind to id to what the thing is, in the SDK's names. A test that changes something here makes drift."""
    instances: dict[str, Properties] = field(default_factory=dict)
    """Group to what its instances were started with."""
    history: list[str] = field(default_factory=list)
    """Creations and removals in order, as `create addon coredns`."""
    default_tags: dict[str, str] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def all(self, kind: str) -> dict[str, Properties]:
        """Return everything of a kind by id; changes to it are changes of the account."""
        return self.objects.setdefault(kind, {})

    def must(self, kind: str, identifier: object) -> Properties:
        """Return one thing; an error as AWS words it when it is not there."""
        found = self.all(kind).get(str(identifier))
        if found is None:
            raise refusals.NOT_FOUND.error(kind=kind, id=identifier)
        return found

    def where(self, kind: str, **wanted: Any) -> list[Properties]:
        """Return everything of a kind that has these properties."""
        return [each for each in self.all(kind).values() if all(each.get(key) == want for key, want in wanted.items())]

    def add(self, kind: str, identifier: str, thing: Properties) -> None:
        """Put a thing into the account."""
        if identifier in self.all(kind):
            raise refusals.EXISTS.error(kind=kind, id=identifier)
        self.all(kind)[identifier] = thing
        self.history.append(f"create {kind} {identifier}")

    def remove(self, kind: str, identifier: str) -> None:
        """Take a thing out; refused while anything else names it."""
        self.must(kind, identifier)
        users = list(self._users(kind, identifier))
        if users:
            raise refusals.IN_USE.error(kind=kind, id=identifier, users=", ".join(users))
        del self.all(kind)[identifier]
        self.history.append(f"delete {kind} {identifier}")

    def new_id(self, prefix: str) -> str:
        """Return an id such as `vpc-0000000000000001f`."""
        return f"{prefix}-{next(self._ids):017x}"

    def summary(self) -> dict[str, list[str]]:
        """Return the ids of everything that is there; empty when nothing is left."""
        return {kind: sorted(things) for kind, things in self.objects.items() if things}

    def _users(self, kind: str, identifier: str) -> Iterator[str]:
        own = self.must(kind, identifier)
        keys = NAMED_BY.get(kind)
        for other_kind, things in self.objects.items():
            for key, thing in things.items():
                named = any(
                    text == own.get("arn") or (text == identifier and (keys is None or where in keys))
                    for where, text in _texts(thing)
                )
                if thing is not own and named:
                    yield f"{other_kind} {key}"


NAMED_BY: Mapping[str, tuple[str, ...]] = {
    "cluster": ("clusterName",),
    "role": ("role",),
    "instance profile": (),
    "log group": (),
    "group": (),
}
"""Kinds whose ids are names, which things of other kinds may well have too, to the inputs that mean one of them."""


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text below a value, each with the key that it stands under."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name not in ("tags", "tagsAll"):
                yield from _texts(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, key)
    elif isinstance(value, str):
        yield key, value
