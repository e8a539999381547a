"""Where Rakazo runs: which cluster, or which machines are made into one."""

from typing import Annotated

from pydantic import Field

from stacks.target.digitalocean import DigitalOceanTarget
from stacks.target.eks import EksTarget
from stacks.target.existing import ExistingTarget
from stacks.target.gke import GkeTarget
from stacks.target.hetzner import HetznerTarget
from stacks.target.server import ServerTarget

Target = Annotated[
    DigitalOceanTarget | EksTarget | ExistingTarget | GkeTarget | HetznerTarget | ServerTarget,
    Field(discriminator="kind"),
]

__all__ = ["DigitalOceanTarget", "EksTarget", "ExistingTarget", "GkeTarget", "HetznerTarget", "ServerTarget", "Target"]
