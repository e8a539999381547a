"""What a containerd makes of its configuration and the files that it imports, and the same for Debian's older one.

The rules are containerd 2's (cmd/containerd/server/config: LoadConfigWithPlugins and mergeConfig): a table that is
declared twice in one file ends the start, so does an imported file of a higher version than the root's; an older one is
migrated; tables merge deeply, lists add up. containerd 1.x replaces a plugin's whole section by an imported one.
"""

import glob
import tomllib
from pathlib import Path
from typing import Any

from tests.k3s.program.refusal import Refusal

Table = dict[str, Any]
OLD = "io.containerd.grpc.v1.cri"
RUNTIME = "io.containerd.cri.v1.runtime"
IMAGES = "io.containerd.cri.v1.images"


def load(file: Path, supported: int) -> Table:
    """Return what containerd reads from a file and its imports, in the newest version that it supports (2 or 3).

    Refusal says what containerd would write into its log before it gives up.
    """
    root = _parse(file, supported)
    version = root.get("version", 1)
    merged = _migrated(root) if supported == 3 else root
    for path in _imported(root, file):
        drop_in = _parse(path, supported)
        if drop_in.get("version", 1) > version:
            raise Refusal(
                f"containerd: {path}: drop-in config version {drop_in.get('version', 1)} "
                f"higher than root config version {version}"
            )
        if supported == 3:
            _merge(merged, _migrated(drop_in))
        else:
            _merge(merged, {key: value for key, value in drop_in.items() if key != "plugins"})
            merged.setdefault("plugins", {}).update(drop_in.get("plugins", {}))
    return merged


def _parse(path: Path, supported: int) -> Table:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Refusal(f"containerd: {path}: failed to unmarshal TOML: {error}") from error
    version = content.get("version", 1)
    if version not in (1, 2, 3) or version > supported:
        raise Refusal(f"containerd: {path}: unsupported config version {version}, at most {supported}")
    return content


def _imported(root: Table, file: Path) -> list[Path]:
    found: list[Path] = []
    for pattern in root.get("imports", []):
        place = pattern if pattern.startswith("/") else str(file.parent / pattern)
        found += [Path(path) for path in sorted(glob.glob(place))]  # noqa: PTH207 - an absolute pattern
    return found


def _migrated(content: Table) -> Table:
    """Return a configuration as version 3; tables that already have version 3's names stay as they are."""
    plugins = dict(content.get("plugins", {}))
    if content.get("version", 1) < 3 and OLD in plugins:
        old = dict(plugins.pop(OLD))
        images: Table = {key: old.pop(key) for key in ("registry", "image_decryption") if key in old}
        if "sandbox_image" in old:
            images["pinned_images"] = {"sandbox": old.pop("sandbox_image")}
        runtimes = dict(old.get("containerd", {}))
        images |= {key: runtimes.pop(key) for key in ("snapshotter", "disable_snapshot_annotations") if key in runtimes}
        plugins = _merge(plugins, {RUNTIME: old | {"containerd": runtimes}, IMAGES: images})
    return {**content, "version": 3, "plugins": plugins}


def _merge(into: Table, other: Table) -> Table:
    for key, value in other.items():
        if key in ("version", "imports") and key in into:
            continue
        mine = into.get(key)
        if isinstance(mine, dict) and isinstance(value, dict):
            into[key] = _merge(dict(mine), value)
        elif isinstance(mine, list) and isinstance(value, list):
            into[key] = mine + [entry for entry in value if entry not in mine]
        else:
            into[key] = value
    return into


def for_debian(content: Table) -> Table:
    """Return a merged configuration for the containerd of Debian 12, which is 1.6 and reads version 2.

    What the machines of the tests cannot do is corrected: the kernel there refuses lower oom scores.
    """
    plugins = dict(content.get("plugins", {}))
    old: Table = dict(plugins.pop(OLD, {}))
    if content.get("version") == 3:
        # There the plugin of this name serves streams and knows nothing else.
        old = {key: value for key, value in old.items() if key.startswith("stream_")}
    runtime: Table = dict(plugins.pop(RUNTIME, {}))
    images: Table = dict(plugins.pop(IMAGES, {}))
    pinned = images.pop("pinned_images", {})
    cni = dict(runtime.pop("cni", {}))
    if "bin_dirs" in cni:
        cni["bin_dir"] = cni.pop("bin_dirs")[0]
    containerd = dict(runtime.pop("containerd", {}))
    containerd |= {key: images[key] for key in ("snapshotter", "disable_snapshot_annotations") if key in images}
    cri = _merge(old, {**runtime, "containerd": containerd})
    if cni:
        cri["cni"] = cni
    if "sandbox" in pinned:
        cri["sandbox_image"] = pinned["sandbox"]
    if "registry" in images:
        cri["registry"] = images["registry"]
    cri |= {"restrict_oom_score_adj": True, "disable_apparmor": True}
    kept = {key: value for key, value in content.items() if key not in ("imports", "version", "plugins")}
    disabled = [*kept.pop("disabled_plugins", []), "io.containerd.snapshotter.v1.devmapper"]
    return {"version": 2, **kept, "disabled_plugins": disabled, "plugins": {**plugins, OLD: cri}}
