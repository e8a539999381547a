"""Where machines download programs from."""

import re
from typing import Annotated

from pydantic import AfterValidator

_URL = re.compile(r"https?://[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[-._~%A-Za-z0-9]+)*/?")


def _checked_mirror(url: str) -> str:
    if not _URL.fullmatch(url):
        raise ValueError('is not a base address; write it as "https://mirror.example.com/k3s", without user or query')
    return url.rstrip("/")


Mirror = Annotated[str, AfterValidator(_checked_mirror)]
"""Base address over http or https. What comes from it is checked against a checksum before it is used."""
