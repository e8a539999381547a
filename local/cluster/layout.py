"""What the nodes of an embedded cluster look like to whoever schedules on them: labels, taints, runtime handlers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from local.machines.init import STATE

Effect = Literal["NoSchedule", "NoExecute", "PreferNoSchedule"]
Program = Literal["runc", "runsc"]

CONFIG = f"{STATE}/config"
"""Folder of a node with the configuration of what runs on it."""


@dataclass(frozen=True, kw_only=True)
class Taint:
    """A taint that a node registers with."""

    key: str
    value: str
    effect: Effect = "NoSchedule"


@dataclass(frozen=True, kw_only=True)
class NodeLayout:
    """One node, beside the pool's label that it has anyway."""

    labels: Mapping[str, str] = field(default_factory=dict)
    """More labels, such as those that a cloud gives its pools."""
    taints: tuple[Taint, ...] = ()
    """More taints."""
    pool_taint: bool = True
    """Whether the computers' node has the pool's taint; a cloud with a taint of its own has not."""
    handlers: Mapping[str, Program] = field(default_factory=lambda: {"runsc": "runsc"})
    """Name of a handler in containerd to what it really starts, beside `runc` and the one whose name lies. A name of
    another runtime may well start runsc: here nothing else is to be had."""
    containerd_config: str = f"{CONFIG}/containerd.toml"
    """Where containerd's configuration lies on the node; clouds have it at /etc/containerd/config.toml."""
    containerd_under: tuple[str, ...] = ()
    """The command that starts containerd's own command line, which is appended, and starts it again when it is told
    to; empty: nobody starts it again."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Both nodes."""

    system: NodeLayout = field(default_factory=NodeLayout)
    computers: NodeLayout = field(default_factory=NodeLayout)

    def of(self, node: str) -> NodeLayout:
        """Return the layout of the node of this name."""
        return {"system": self.system, "computers": self.computers}[node]


PLAIN = Layout()
