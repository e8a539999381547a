"""The images of one release of Rakazo."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from stacks.base import Model

_PINNED = re.compile(
    r"[a-z0-9]([-.a-z0-9]*[a-z0-9])?(:[0-9]{1,5})?"  # registry, or first part of the path
    r"(/[a-z0-9]+([-._]+[a-z0-9]+)*)*@sha256:[0-9a-f]{64}"
)


def _checked_image(reference: str) -> str:
    name, _, digest = reference.partition("@")
    if not digest or ":" in name.rpartition("/")[2]:
        raise ValueError(
            "carries a tag or no digest at all; a tag can be moved to another image at any time, "
            "also behind a running stack: write name@sha256:<64 hex digits> without a tag"
        )
    if not _PINNED.fullmatch(reference):
        raise ValueError("is not an image; write name@sha256:<64 hex digits> in lower case")
    return reference


Image = Annotated[str, AfterValidator(_checked_image)]


class ImagesSettings(Model):
    """Images by digest. app and computer come from the same release of Rakazo."""

    app: Image
    """Runs migrate, api, worker and web."""
    computer: Image
    """Runs every computer."""
    postgres: Image
    """The database."""
    postgres_major: Literal[16] = 16
    """Major version of the postgres image. Another one does not read the data of 16, and from 18 on the
    image keeps its data in another folder."""
