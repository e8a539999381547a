"""How many nodes of which size a cluster at DigitalOcean has."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from stacks.base import Model
from stacks.target.droplet_size import DropletSize

MOST_NODES = 512
"""Nodes of one cluster (docs.digitalocean.com, Kubernetes limits, November 2025)."""


class SystemPool(Model):
    """Nodes that run Rakazo itself."""

    size: DropletSize = "s-4vcpu-8gb"
    """Droplet size of each. Another one is another pool: it is made first, then the old one goes."""
    count: Annotated[int, Field(ge=1, le=MOST_NODES)] = 1
    """How many."""


class ElasticPool(Model):
    """Nodes that run computers and nothing else; DigitalOcean adds and removes them as computers come and go."""

    size: DropletSize = "s-8vcpu-16gb"
    """Droplet size of each. Another one is another pool: it is made first, then the old one goes."""
    minimum: Annotated[int, Field(ge=0, le=MOST_NODES)] = 1
    """How many there always are."""
    maximum: Annotated[int, Field(ge=1, le=MOST_NODES)] = 3
    """How many there are at most; the same as `minimum`: always so many."""

    @model_validator(mode="after")
    def _there_is_always_one(self) -> Self:
        if self.minimum == 0:
            raise ValueError(
                "minimum is 0: computers go where gVisor has proven itself, and DigitalOcean does not know that of a "
                "node that is not there, so none would ever be added; write minimum: 1"
            )
        return self

    @model_validator(mode="after")
    def _the_minimum_is_smaller(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError(f"minimum is {self.minimum} and maximum {self.maximum}; write the smaller one as minimum")
        return self
