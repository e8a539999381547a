"""containerd's configuration as text: which layout it has, and the part of it that is ours."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .node_error import NodeError

BEGIN = "# >>> rakazo-infra: gVisor. Written by the node installer, which also takes it away."
END = "# <<< rakazo-infra"
DROP_IN = "10-rakazo-gvisor.toml"
FILE = "config.toml"

PLUGINS = {2: "io.containerd.grpc.v1.cri", 3: "io.containerd.cri.v1.runtime"}
"""Version of the configuration to the plugin that has the runtimes."""


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """What containerd is told about gVisor."""

    handler: str
    shim: Path
    settings: Path
    """The file with gVisor's own settings."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How the node's containerd is configured."""

    version: int
    drop_ins: Path | None
    """Folder of which the configuration imports every file; None: there is none that may be used."""


def detect(text: str | None, folder: Path) -> Layout:
    """Return the layout of the configuration in a folder, None for a file that is not there; NodeError: not understood.

    Drop-ins are used with version 3 alone, which only containerd 2 reads: containerd 1 replaces a plugin's whole
    section by an imported one.
    """
    document = _parsed(text or "")
    version = document.get("version", 1 if text and document else 2)
    if version not in PLUGINS:
        raise NodeError(f"{folder / FILE} has version {version!r}, and gVisor can be made known to 2 and 3 only")
    imports = document.get("imports", []) if version == 3 else []  # noqa: PLR2004 - the version, see above
    for pattern in imports if isinstance(imports, list) else []:
        place = folder / str(pattern)
        if place.name == "*.toml" and place.parent.is_relative_to(folder):
            return Layout(version=version, drop_ins=place.parent)
    return Layout(version=version, drop_ins=None)


def render(layout: Layout, runtime: Runtime) -> str:
    """Return our tables.

    containerd 2 takes the shim's path beside its type. containerd 1.6 and 1.7 have that key and not all of them
    obey it, but take a path in the place of the type.
    """
    table = f'plugins."{PLUGINS[layout.version]}".containerd.runtimes.{runtime.handler}'
    kind = [f'runtime_type = "{runtime.shim}"']
    if layout.version == 3:  # noqa: PLR2004 - the version, see above
        kind = ['runtime_type = "io.containerd.runsc.v1"', f'runtime_path = "{runtime.shim}"']
    lines = [
        f"[{table}]",
        *(f"  {line}" for line in kind),
        f"[{table}.options]",
        '  TypeUrl = "io.containerd.runsc.v1.options"',
        f'  ConfigPath = "{runtime.settings}"',
    ]
    return "\n".join(lines) + "\n"


def render_drop_in(layout: Layout, runtime: Runtime) -> str:
    """Return a drop-in with our tables; of another version than the file that imports it, it would be passed over."""
    return f"{BEGIN}\nversion = {layout.version}\n\n{render(layout, runtime)}{END}\n"


def with_tables(text: str | None, layout: Layout, runtime: Runtime) -> str:
    """Return the whole configuration with our tables at its end; NodeError: they do not fit into it."""
    own = without_tables(text or "")
    head = "" if own else f"version = {layout.version}\n\n"
    merged = f"{own}\n{BEGIN}\n{head}{render(layout, runtime)}{END}\n"
    refuse_foreign(own, layout, runtime.handler)
    _parsed(merged)
    return merged


def refuse_foreign(text: str, layout: Layout, handler: str) -> None:
    """Raise a NodeError when somebody else has told containerd about the handler."""
    runtimes: Any = _parsed(text)
    for key in ("plugins", PLUGINS[layout.version], "containerd", "runtimes"):
        runtimes = runtimes.get(key, {}) if isinstance(runtimes, dict) else {}
    if isinstance(runtimes, dict) and handler in runtimes:
        raise NodeError(
            f"containerd on this node knows {handler} already, from somebody else: take target.gvisor out of the stack "
            "file to use that one, or take it off the node"
        )


def without_tables(text: str) -> str:
    """Return the configuration as it was before ours came to it, to the last byte."""
    before, begin, rest = text.partition(f"\n{BEGIN}\n")
    if not begin:
        return text
    _, end, after = rest.partition(f"{END}\n")
    if not end:  # cut off in the middle: what follows ours is nobody's
        return before
    return before + after


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NodeError(f"containerd's configuration is no TOML that gVisor could be added to: {error}") from error
