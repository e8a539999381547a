"""Names that Kubernetes and every cloud accept."""

import re
from typing import Annotated

from pydantic import AfterValidator

LONGEST = 40
"""Characters: a GKE cluster's name, the tightest limit. Kubernetes alone would allow 63."""

_SHAPE = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")


def check_object_name(name: str) -> str:
    """Return a name that every platform accepts; a ValueError says what is wrong with any other."""
    if len(name) > LONGEST:
        raise ValueError(f"has {len(name)} characters; the limit is {LONGEST} (names of GKE clusters)")
    if not _SHAPE.fullmatch(name):
        raise ValueError(
            "must start with a lower-case letter, go on with lower-case letters, digits and hyphens, "
            "and not end with a hyphen (Kubernetes and cloud names)"
        )
    return name


ObjectName = Annotated[str, AfterValidator(check_object_name)]
