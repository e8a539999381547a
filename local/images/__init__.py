"""Stand-in images, built on this machine from the folders beside this file and cached.

No registry is asked for an image: what an image holds comes from Debian's, PyPI's and Go's
package registries and from this repository.
"""

from local.images.archive import ImageArchive
from local.images.build import ensure

__all__ = ["ImageArchive", "ensure"]
