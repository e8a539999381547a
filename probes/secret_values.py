"""The values that nobody but their service may see, and how to find them in a text without showing them."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_plus

SHORTEST = 8
"""Characters: shorter values are found everywhere by chance."""
DOCUMENTS = ("helm.sh/",)
"""Types of Secrets that hold other things than a value to keep."""
PUBLIC = (".crt",)
"""Ends of keys that hold what everybody may see."""


@dataclass(frozen=True, kw_only=True)
class Sought:
    """One value of a Secret, in every form in which it could be written somewhere."""

    name: str
    """Key and Secret, which is all that is ever shown of it."""
    forms: frozenset[str] = field(repr=False)

    def is_in(self, text: str) -> bool:
        """Whether the text holds the value in any form."""
        return any(form in text for form in self.forms)


def sought(secrets: Iterable[Mapping[str, Any]]) -> list[Sought]:
    """Return what must be looked for, from Secrets as the API server gives them; each value once, with all its names.

    Values with fewer than SHORTEST characters are left out, and so are certificates.
    """
    names: dict[bytes, list[str]] = {}
    for secret in secrets:
        if str(secret.get("type", "")).startswith(DOCUMENTS):
            continue
        for key, encoded in (secret.get("data") or {}).items():
            value = base64.b64decode(encoded).strip()
            if len(value) >= SHORTEST and not key.endswith(PUBLIC):
                names.setdefault(value, []).append(f"{key} of Secret {secret['metadata']['name']}")
    return [Sought(name=" and ".join(each), forms=forms(value)) for value, each in names.items()]


def forms(value: bytes) -> frozenset[str]:
    """Return a value as it may be written: as it is, in JSON, in a URL, and in base64 with something around it."""
    found = set(_in_base64(value))
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return frozenset(found)
    in_json = json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]
    written = {text, *in_json, *map(_by_go, in_json), quote(text, safe=""), quote(text), quote_plus(text)}
    return frozenset(found | written)


def _by_go(text: str) -> str:
    """Return JSON as Kubernetes and Pulumi write it: with three more characters as their numbers."""
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def _in_base64(value: bytes) -> Iterator[str]:
    """Yield what is the same in base64 wherever the value begins: at each of three places in a group."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for before in range(3):
            shifted = encode(b"\0" * before + value).decode().rstrip("=")
            end = None if (before + len(value)) % 3 == 0 else -1  # the last character also depends on what follows
            yield shifted[(0, 2, 3)[before] : end]


def leaks(values: Iterable[Sought], texts: Mapping[str, str]) -> list[str]:
    """Return each name of a value together with the name of the text that holds it."""
    listed = list(values)
    return [f"{each.name} in {where}" for where, text in texts.items() for each in listed if each.is_in(text)]
