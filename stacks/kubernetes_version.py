"""A Kubernetes version as settings carry it."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

OLDEST = (1, 30)
"""The first release with ValidatingAdmissionPolicy, which the computers' namespace relies on."""
MUTATES_ADMISSION = (1, 36)
"""The first release with MutatingAdmissionPolicy, which lets a computer wait until its policies are in force."""

_SHAPE = re.compile(r"1\.(0|[1-9][0-9]{0,2})")


def parse_version(text: str) -> tuple[int, int]:
    """(major, minor) of checked text."""
    major, minor = text.split(".")
    return int(major), int(minor)


def _refuse_number(value: Any) -> Any:
    if isinstance(value, int | float):
        raise ValueError(  # noqa: TRY004 - pydantic turns only ValueError into a message
            'is a number in YAML, which would make 1.30 the same as 1.3; quote it, such as "1.36"'
        )
    return value


def _checked_version(text: str) -> str:
    if not _SHAPE.fullmatch(text):
        raise ValueError('is not a version; write major and minor only, such as "1.36"')
    if parse_version(text) < OLDEST:
        raise ValueError(
            f"is older than {OLDEST[0]}.{OLDEST[1]}, the first release with ValidatingAdmissionPolicy; "
            "upgrade the cluster first"
        )
    return text


KubernetesVersion = Annotated[str, BeforeValidator(_refuse_number), AfterValidator(_checked_version)]
