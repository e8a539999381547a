"""How the isolation is proven before the way in opens."""

from typing import Literal

from stacks.address_range import Endpoint
from stacks.base import Model


class ProofSettings(Model):
    """What a failing claim means, and what beside the cluster can be looked at."""

    gate: Literal["enforce", "report"] = "enforce"
    """`enforce`: with a claim that does not hold, `pulumi up` fails and the way in stays closed. `report`: the failure
    is told, and the way in opens all the same."""
    neighbours: tuple[Endpoint, ...] = ()
    """Listeners of your own network that computers must not reach, as `address:port`: one in each private range that
    you use. A range without one cannot be proven closed, because nothing answers there anyway."""
