"""The stand-in images as the archives that lie beside an air-gapped k3s."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from local import images
from local.cache import Slot, images_root

FORMAT = "1"
CLUSTER = ("pause", "coredns", "local-path-provisioner", "toolbox")
"""What the stand-in for k3s itself needs."""
FOLDER = "/var/lib/rancher/k3s/agent/images"
"""Where k3s looks for them on a machine."""


def airgap_images(console: Console, names: Iterable[str] = CLUSTER) -> Path:
    """Return a folder with one archive for each of the named stand-in images, to be mounted at FOLDER.

    LocalError: an image cannot be built.
    """
    found = images.ensure(console, sorted(set(names)))
    slot = Slot.of(images_root() / "k3s-airgap", (FORMAT, *(image.reference for _, image in sorted(found.items()))))

    def make(workspace: Path) -> Path:
        for name, image in found.items():
            _link(image.archive, workspace / f"{name}.oci.tar")
        return workspace

    return slot.ensure(make)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another file system
        shutil.copy2(source, target)
