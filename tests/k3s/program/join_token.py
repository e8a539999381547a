"""Tokens: what a node shows to join, and how it knows that it joins the right cluster (docs.k3s.io/cli/token)."""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from tests.k3s.program.refusal import Refusal

FULL = re.compile(r"K10(?P<hash>[0-9a-f]{64})::(?P<user>[^:]+):(?P<password>.+)")
SERVER_USER = "server"
NODE_USER = "node"


@dataclass(frozen=True)
class Token:
    """A token; the short form is its password alone."""

    password: str
    user: str = ""
    """Empty in the short form."""
    authority_hash: str = ""
    """Empty in the short form: the cluster is believed to be the right one."""

    @classmethod
    def parse(cls, text: str) -> "Token":
        """Read a token; Refusal when it begins as a full one and is none."""
        if not text.startswith("K10"):
            return cls(password=text)
        found = FULL.fullmatch(text)
        if found is None:
            raise Refusal("token: begins with K10 but has not the form K10<64 hex digits>::<user>:<password>")
        return cls(found["password"], found["user"], found["hash"])

    def full(self, authority: str, user: str) -> str:
        """Render the full form for a cluster with this CA certificate (PEM)."""
        return f"K10{authority_hash(authority)}::{user}:{self.password}"

    def check(self, authority: str) -> None:
        """Refuse a cluster whose CA certificate (PEM) is not the one that the token names."""
        if self.authority_hash and not hmac.compare_digest(self.authority_hash, authority_hash(authority)):
            raise Refusal(
                f"token CA hash does not match the Cluster CA certificate hash: "
                f"{self.authority_hash} != {authority_hash(authority)}"
            )

    def header(self, fallback_user: str) -> str:
        """Render the value of an Authorization header."""
        return "Basic " + base64.b64encode(f"{self.user or fallback_user}:{self.password}".encode()).decode()


def authority_hash(authority: str) -> str:
    """Return the hash of a self-signed CA as tokens name it: over the PEM text as it is stored."""
    return hashlib.sha256(authority.encode()).hexdigest()


def new_password() -> str:
    """Return a password as k3s makes one when it is given none: 16 random bytes."""
    return secrets.token_hex(16)


def credentials(header: str) -> tuple[str, str]:
    """Return user and password of an Authorization header; two empty texts when it holds none."""
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return user, password
