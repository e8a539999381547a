"""The facts of the committed local stack, and surroundings as a cluster of it has them."""

import functools

from probes.facts import Facts
from probes.surroundings import Surroundings
from probes.vantage import Vantage
from tests.unit.example import example


@functools.cache
def facts() -> Facts:
    """Return what the stack hands to its gate."""
    return Facts.model_validate_json(example().only("ConfigMap", name="rakazo-isolation").inputs["data"]["facts"])


def changed(**changes: object) -> Facts:
    """Return the facts with changes."""
    return facts().model_copy(update=changes)


def around() -> Surroundings:
    """Return invented addresses of everything that a cluster knows."""
    return Surroundings(
        nodes={"system": ("10.10.0.11",), "computers": ("10.10.0.12",)},
        api_servers=(("10.10.0.11", 6443),),
        public_api=(("203.0.113.7", 6443),),
        dns_pods=("10.42.0.5",),
        pods={"api": ("10.42.0.6",), "web": ("10.42.0.7",), "postgres": ("10.42.0.8",)},
        names={"api": "rakazo-api-1", "web": "rakazo-web-1", "postgres": "rakazo-postgres-0"},
        services={"api": ("10.43.0.21",), "web": ("10.43.0.22",), "postgres": ("10.43.0.23",)},
        computers_nodes=frozenset({"computers"}),
        cast={
            Vantage.COMPUTER: ("10.42.1.5",),
            Vantage.NEIGHBOUR: ("10.42.1.6",),
            Vantage.CONTROL: ("10.42.1.7",),
            Vantage.BYSTANDER: ("10.42.0.9",),
        },
        cast_service=("10.43.0.99",),
    )
