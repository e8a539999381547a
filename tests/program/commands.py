"""What commands on machines are told, and how a secret could be spelled in them."""

import base64
from typing import Any
from urllib.parse import quote

from tests.unit.example import secrets_of
from tests.unit.recorder import Registered, Secret


def connection(command: Registered) -> dict[str, Any]:
    """Return how the machine is logged in to, which is secret as a whole."""
    hidden = command.inputs["connection"]
    assert isinstance(hidden, Secret), f"{command.name} has its key in plain text"
    told: dict[str, Any] = hidden.value
    return told


def spelled(holder: str) -> list[str]:
    """Return every form in which a secret of a target could stand in a command."""
    secrets = [secret for secret in secrets_of(holder).values() if "PRIVATE KEY" not in secret]
    return [form for each in secrets for form in (each, quote(each), base64.b64encode(each.encode()).decode())]
