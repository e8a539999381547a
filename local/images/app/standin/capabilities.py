"""The right to watch or control one screen for a while, written into a URL."""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass

LONGEST = 3600
"""Seconds that a capability is valid at most."""
POLICIES = ("view", "control")


class CapabilityError(Exception):
    """The capability is malformed, forged or expired."""


@dataclass(frozen=True)
class Capability:
    """One computer's screen; `generation` names one start of it, so a restart ends old screens."""

    computer: str
    generation: int
    policy: str
    expires: int
    """Unix time, seconds."""


def seal(capability: Capability, secret: str) -> str:
    """Return the path part `session/<policy>/<expiry>.<payload>.<signature>`."""
    payload = base64.urlsafe_b64encode(
        json.dumps([capability.computer, capability.generation], separators=(",", ":")).encode()
    )
    head = f"{capability.policy}/{capability.expires}.{payload.decode().rstrip('=')}"
    return f"session/{head}.{_signature(head, secret)}"


def unseal(path: str, secret: str, now: float) -> Capability:
    """Return what a path part grants.

    Raises:
        CapabilityError: it is malformed, signed with another secret, or expired.

    """
    pieces = path.split("/")
    if len(pieces) != 3 or pieces[0] != "session" or pieces[1] not in POLICIES:  # noqa: PLR2004
        raise CapabilityError("malformed: expected session/<policy>/<expiry>.<payload>.<signature>")
    body, _, signature = pieces[2].rpartition(".")
    head = f"{pieces[1]}/{body}"
    if not hmac.compare_digest(signature.encode(), _signature(head, secret).encode()):
        raise CapabilityError("signed with another SCREEN_PROXY_SECRET, or altered")
    expiry, _, payload = body.partition(".")
    if int(expiry) <= now:
        raise CapabilityError(f"expired {now - int(expiry):.0f} s ago")
    computer, generation = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return Capability(computer, generation, pieces[1], int(expiry))


def _signature(head: str, secret: str) -> str:
    digest = hmac.new(secret.encode(), b"screen:" + head.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
