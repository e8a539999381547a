"""Where Rakazo runs: which cluster, or which machines are made into one."""

from typing import Annotated

from pydantic import Field

from stacks.target.existing import ExistingTarget
from stacks.target.hetzner import HetznerTarget
from stacks.target.server import ServerTarget

Target = Annotated[ExistingTarget | HetznerTarget | ServerTarget, Field(discriminator="kind")]

__all__ = ["ExistingTarget", "HetznerTarget", "ServerTarget", "Target"]
