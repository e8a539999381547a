"""A k3s release and what changed from one to the next, as far as a configuration has to know."""

import pkgutil
import re
from dataclasses import dataclass

from tests.k3s.program.refusal import Refusal

FORMAT = re.compile(r"v(\d+)\.(\d+)\.(\d+)\+k3s(\d+)")
RESOURCE = "RELEASE"
"""File in this package, inside the built file alone, that holds the release's name."""


@dataclass(frozen=True, order=True)
class Release:
    """A release such as v1.36.2+k3s1; newer ones compare as greater."""

    major: int
    minor: int
    patch: int
    build: int

    @classmethod
    def parse(cls, name: str) -> "Release":
        """Read a release's name; Refusal when it is none."""
        found = FORMAT.fullmatch(name)
        if found is None:
            raise Refusal(f"{name} is no release of k3s; one looks like v1.36.2+k3s1")
        return cls(*(int(part) for part in found.groups()))

    def __str__(self) -> str:
        return f"v{self.major}.{self.minor}.{self.patch}+k3s{self.build}"

    def _reached(self, patches: dict[int, int]) -> bool:
        """Whether this minor release has reached its patch; minors above the listed ones have, those below have not."""
        if self.minor in patches:
            return self.patch >= patches[self.minor]
        return self.minor > max(patches)

    @property
    def has_containerd_2(self) -> bool:
        """Whether its containerd reads version 3 of the configuration (docs.k3s.io/advanced, February 2025)."""
        return self._reached({31: 6, 32: 2})

    @property
    def imports_drop_ins(self) -> bool:
        """Whether the rendered configuration imports drop-ins (k3s-io/k3s pull request 13680 and its backports)."""
        return self._reached({34: 6, 35: 3})

    @property
    def containerd(self) -> str:
        """The containerd that such a release says it has."""
        return "2.2.5-k3s1" if self.has_containerd_2 else "1.7.27-k3s1"


def built_in() -> Release:
    """Return the release for which the running file was built."""
    content = pkgutil.get_data(__package__, RESOURCE)
    if content is None:
        raise Refusal(f"the file holds no {RESOURCE}: it was not made by tests.k3s.build")
    return Release.parse(content.decode().strip())
