"""The stand-in for k3s: one file with k3s' interface that runs the real components.

`build` makes the file for a version, `programs` the folder with the components that it starts, `airgap_images` the
folder with the images that a machine without a registry needs.
"""

from tests.k3s.airgap import airgap_images
from tests.k3s.executable import build
from tests.k3s.programs import programs

__all__ = ["airgap_images", "build", "programs"]
