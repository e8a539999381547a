"""The nodes' images, unpacked once per machine and shared by every cluster.

Importing an image means unpacking it, for the desktop more than a gigabyte. So it is done once, by a containerd in a
machine of its own, and kept in the cache. A cluster gets a copy of containerd's small databases, links to the blobs
and, mounted read-only, the unpacked layers: nothing that it does reaches the cache.
"""

import dataclasses
import fcntl
import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from local.cache import Slot, images_root
from local.cache.slot import WORKSPACE, leftovers
from local.cluster import images, readiness
from local.images.archive import ImageArchive
from local.machines.blueprint import Blueprint
from local.machines.machine import Machine

FORMAT = "1"
KIND = "node-store"
IMPORTER = "importer"
ROOT = "/var/lib/containerd"
SNAPSHOTS = "io.containerd.snapshotter.v1.overlayfs/snapshots"
BLOBS = "io.containerd.content.v1.content/blobs"
SOCKET = "/run/containerd/containerd.sock"
CHANGING = frozenset({"app"})
"""Small and often rebuilt while working on it: imported into each cluster instead of making a new store each time."""

CONFIG = f"""\
version = 2
root = "{ROOT}"
state = "/run/containerd"
disabled_plugins = ["io.containerd.grpc.v1.cri"]

[grpc]
  address = "{SOCKET}"
"""


def ensure(found: Mapping[str, ImageArchive], console: Console) -> Path:
    """Return the folder with the unpacked images, made first when the cache lacks it; LocalError when that fails."""
    remove_leftovers()
    kept = {name: image for name, image in sorted(found.items()) if name not in CHANGING}
    slot = store_slot(kept)

    def make(workspace: Path) -> Path:
        console.print("unpacking the images for the nodes, once per machine", highlight=False)
        unpacked = _unpack(kept, workspace)
        _remove_unused(slot.directory)
        return unpacked

    return slot.ensure(make)


def store_slot(kept: Mapping[str, ImageArchive]) -> Slot:
    """Where the store of exactly these images, in this order, belongs."""
    return Slot.of(images_root() / KIND, (FORMAT, *(image.reference for image in kept.values())))


def _unpack(kept: Mapping[str, ImageArchive], workspace: Path) -> Path:
    machine = Machine(IMPORTER, workspace)
    blueprint = Blueprint(name=machine.name, folders={ROOT: "containerd"}, files={"/run/containerd.toml": CONFIG})
    machine.start(blueprint)
    try:
        process = machine.spawn("containerd", ["containerd", "--config=/run/containerd.toml"])
        readiness.wait_for_file(machine, SOCKET, "containerd")
        images.bring(machine, tuple(kept), kept)
        process.end(sign=signal.SIGTERM)
    finally:
        machine.end()
    return machine.state / "containerd"


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # the cache lies on another file system
        shutil.copy2(source, target)


def remove_leftovers() -> None:
    """End and remove what a run left that was killed while it unpacked; one that is at work is left alone."""
    for workspace in leftovers(images_root() / KIND):
        Machine(IMPORTER, workspace).end()
        shutil.rmtree(workspace)


def _remove_unused(current: Path) -> None:
    """Remove stores of other images that no running machine holds; a stopped cluster takes the current one later."""
    for folder in current.parent.iterdir():
        if folder == current or folder.suffix == WORKSPACE or not folder.is_dir():
            continue
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
        except BlockingIOError:
            continue
        finally:
            os.close(handle)


def plant(store: Path, machine: Machine, blueprint: Blueprint) -> Blueprint:
    """Give a node's containerd the store's images unless it has them; return the blueprint with the layers attached.

    A node stays with the store that it was made from while the cache holds that; images that it lacks are imported.
    """
    target, note = machine.state / "containerd", machine.state / "store"
    planted = Path(note.read_text()) if note.exists() else None
    if planted is None or not planted.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(store, target, copy_function=_copy, ignore=_without_layers)
        note.write_text(str(store))
        planted = store
    layers = sorted((planted / SNAPSHOTS).iterdir())
    attached = {f"{ROOT}/{SNAPSHOTS}/{layer.name}": str(layer) for layer in layers}
    return dataclasses.replace(blueprint, attached=attached, held=str(planted))


def _copy(source: str, target: str) -> None:
    # Blobs are never written to again; databases are.
    (_link if BLOBS in source else shutil.copy2)(source, target)


def _without_layers(folder: str, names: list[str]) -> list[str]:
    return names if folder.endswith(SNAPSHOTS) else []
