"""What is built once and shared by every checkout of a user: where it lies, its key, and how it appears whole."""

from local.cache.root import images_root, tools_root
from local.cache.slot import Slot

__all__ = ["Slot", "images_root", "tools_root"]
