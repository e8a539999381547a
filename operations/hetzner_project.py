"""What a Hetzner Cloud project holds of one stack, asked of Hetzner itself and not of Pulumi's state."""

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from operations.failure import OperationError

ENDPOINT = "HCLOUD_ENDPOINT"
"""Hetzner's own programs take another address of the API from there, such as a proxy's."""
SECONDS = 30
"""For one answer."""


@dataclass(frozen=True, kw_only=True)
class Remainder:
    """One thing in the project."""

    kind: str
    id: int
    name: str
    created: str
    """Date and time in UTC; empty where Hetzner tells none."""
    protected: bool
    """Whether Hetzner refuses to delete it."""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def remainders(token: str, selector: str, tell: Callable[[str], None]) -> list[Remainder]:
    """Return everything that carries the labels; OperationError when Hetzner does not answer or refuses.

    The kinds are all that can carry a label and cost something or stand in a new stack's way, also those that the
    stack itself never makes: whoever adds one by hand gives it the same labels.
    """
    try:
        import hcloud
        import requests
    except ModuleNotFoundError as error:
        raise OperationError(f"{error.name} is not installed; write: uv sync --extra hetzner") from error
    make = partial(hcloud.Client, token=token, application_name="rakazo-infra", timeout=SECONDS)
    endpoint = os.environ.get(ENDPOINT, "").rstrip("/")
    client = make(api_endpoint=endpoint) if endpoint else make()
    try:
        return list(_asked(client, selector, tell))
    except hcloud.APIException as error:
        raise OperationError(f"Hetzner refused: {error.message} ({error.code})") from error
    except requests.RequestException as error:
        raise OperationError(f"Hetzner does not answer: {error}") from error


def _asked(client: Any, selector: str, tell: Callable[[str], None]) -> Iterator[Remainder]:
    kinds = {
        "server": client.servers,
        "primary IP": client.primary_ips,
        "floating IP": client.floating_ips,
        "load balancer": client.load_balancers,
        "volume": client.volumes,
        "image": client.images,
        "network": client.networks,
        "firewall": client.firewalls,
        "placement group": client.placement_groups,
        "SSH key": client.ssh_keys,
        "certificate": client.certificates,
    }
    for kind, asked in kinds.items():
        tell(f"asking Hetzner for every {kind} of the stack")
        for each in asked.get_all(label_selector=selector):
            made = each.created
            yield Remainder(
                kind=kind,
                id=each.id,
                name=each.name or getattr(each, "description", "") or str(each.id),
                created="" if made is None else f"{made:%Y-%m-%d %H:%M}",
                protected=bool((getattr(each, "protection", None) or {}).get("delete")),
            )
