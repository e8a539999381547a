"""Accounts and principals of AWS, as far as a stack file can be wrong about them without asking AWS."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

_PRINCIPAL = re.compile(r"arn:aws:iam::([0-9]{12}):(role|user)/[-\w+=,.@/]{1,512}")
_SESSION = re.compile(r"arn:aws:sts::([0-9]{12}):assumed-role/([-\w+=,.@]+)/.+")


def _checked_principal(arn: str) -> str:
    session = _SESSION.fullmatch(arn)
    if session is not None:
        raise ValueError(
            "is a session, which ends; an access entry is for the role behind it: write "
            f"arn:aws:iam::{session[1]}:role/{session[2]} (with the role's path, if it has one)"
        )
    if arn.endswith(":root"):
        raise ValueError("is the account itself, which EKS lets nobody in for; write a role's ARN")
    if not _PRINCIPAL.fullmatch(arn):
        raise ValueError('is no role or user; write its ARN, such as "arn:aws:iam::111122223333:role/rakazo-deploy"')
    return arn


def account_of(arn: str) -> str:
    """Return the account that a checked principal belongs to."""
    return arn.split(":")[4]


Principal = Annotated[str, AfterValidator(_checked_principal)]
Account = Annotated[str, Field(pattern=r"^[0-9]{12}$")]
"""An account's number: twelve digits, in quotes since it may begin with a zero."""
