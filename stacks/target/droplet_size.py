"""DigitalOcean's Droplet sizes, as far as a stack file can be wrong about them without asking DigitalOcean."""

import re
from typing import Annotated

from pydantic import AfterValidator

LEAST_GIB = 2
"""Memory of the smallest node that joins a cluster (docs.digitalocean.com, Kubernetes limits, November 2025)."""
_SHAPE = re.compile(r"[a-z][a-z0-9_]*(-[a-z0-9_.]+)+")
_MEMORY = re.compile(r"-([0-9]+)(mb|gb)(-|$)")


def _checked_size(slug: str) -> str:
    if not _SHAPE.fullmatch(slug):
        raise ValueError(
            'is no size of a Droplet; write its slug, such as "s-8vcpu-16gb" (doctl kubernetes options sizes)'
        )
    if slug.startswith("gpu-"):
        raise ValueError("is a Droplet with a GPU, which computers do not use; write a slug such as s-8vcpu-16gb")
    memory = _MEMORY.search(slug)
    if memory is not None and (memory[2] == "mb" or int(memory[1]) < LEAST_GIB):
        raise ValueError(
            f"is too small for a node of a cluster, which takes {LEAST_GIB} GB for itself; write at least s-2vcpu-4gb"
        )
    return slug


DropletSize = Annotated[str, AfterValidator(_checked_size)]
