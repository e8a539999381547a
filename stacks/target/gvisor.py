"""Which release of gVisor the computers' machines get."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from stacks.base import Model
from stacks.target.mirror import Mirror

OLDEST = "20260907"
"""The first release that is published only as one tarball with gvisor-bin/, which is what is installed here."""

_SHAPE = re.compile(r"20[0-9]{6}(\.[0-9]{1,2})?")


def _checked_release(text: str) -> str:
    if not _SHAPE.fullmatch(text):
        raise ValueError('is not a release of gVisor; write its date and number, such as "20261116.0"')
    if text[:8] < OLDEST:
        raise ValueError(
            f"is older than {OLDEST}: that release has no tarball with all of its parts; write a newer one"
        )
    return text


class GvisorSettings(Model):
    """One release of gVisor, by name and checksum, for x86-64."""

    release: Annotated[str, AfterValidator(_checked_release)]
    """Name of the release in quotes, such as "20261116.0". Never moves by itself."""
    sha512: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]
    """Checksum of gvisor.tar.bz2. The one beside the file protects from damage only, this one from another file."""
    mirror: Mirror = "https://storage.googleapis.com/gvisor/releases/release"
    """Holds `<release>/x86_64/gvisor.tar.bz2`."""
    platform: Literal["systrap", "kvm"] = "systrap"
    """How system calls are caught: `systrap` everywhere, `kvm` only on bare metal with /dev/kvm."""

    @property
    def url(self) -> str:
        """Where the tarball is."""
        return f"{self.mirror}/{self.release}/x86_64/gvisor.tar.bz2"
