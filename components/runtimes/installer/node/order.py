"""What is to be installed, as the pod's variables say it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Order:
    """A release of gVisor and the place for it on the node."""

    url: str
    sha512: str
    release: str
    platform: str
    handler: str
    home: Path
    """The node's folder for it, by its path on the node."""
    containerd: Path
    """Folder of containerd's configuration, by its path on the node."""

    @property
    def programs(self) -> Path:
        """Where the release lies. Each has a folder of its own: computers end with the release that they began with."""
        return self.home / self.release

    @property
    def settings(self) -> Path:
        """The file with gVisor's own settings."""
        return self.home / "runsc.toml"


def read(variables: Mapping[str, str]) -> Order:
    """Return the order; KeyError names the variable that is missing."""
    return Order(
        url=variables["GVISOR_URL"],
        sha512=variables["GVISOR_SHA512"],
        release=variables["GVISOR_RELEASE"],
        platform=variables["GVISOR_PLATFORM"],
        handler=variables["GVISOR_HANDLER"],
        home=Path(variables["NODE_HOME"]),
        containerd=Path(variables["NODE_CONTAINERD"]),
    )
