"""One node: gVisor is there and containerd knows it, or neither."""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import configuration, files, release
from .configuration import Layout, Runtime
from .node_error import NodeError
from .order import Order

APPLIED = "applied"
"""Note in our folder of what containerd was started with; taken away before anything is changed."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """The node's folders as the installer sees them, and its containerd."""

    root: Path
    """What stands before each of the node's paths in the installer's container."""
    order: Order
    restart: Callable[[], None]
    """Starts containerd anew and returns when it runs; NodeError: it does not."""

    def converge(self) -> list[str]:
        """Bring the node to what is ordered and return what was done; an empty list: nothing had to be."""
        done = []
        order = self.order
        if release.ensure(order.url, order.sha512, self._seen(order.programs)):
            done.append(f"gVisor {order.release} is in {order.programs}")
        place, text = self._wanted()
        settings = self._seen(order.settings)
        note, applied = self._seen(order.home / APPLIED), _digest(text, self._settings())
        if files.read(settings) != self._settings() or files.read(place) != text or files.read(note) != applied:
            note.unlink(missing_ok=True)
            files.write(settings, self._settings())
            place.parent.mkdir(exist_ok=True)
            if files.write(place, text):
                done.append(f"containerd is told about {order.handler} in {place.relative_to(self.root)}")
            self.restart()
            note.write_text(applied)
            done.append("containerd was started anew")
        return done

    def leave(self) -> list[str]:
        """Take away all that `converge` brings and return what was done."""
        order, done = self.order, []
        root = self._seen(order.containerd) / configuration.FILE
        text = files.read(root)
        drop_ins = self._drop_ins(text)
        changed = text is not None and configuration.without_tables(text) != text
        if changed and text is not None:
            own = configuration.without_tables(text)
            if own:
                files.write(root, own)
            else:
                root.unlink()
        for folder in drop_ins:
            drop_in = folder / configuration.DROP_IN
            if drop_in.exists():
                drop_in.unlink()
                changed = True
        if changed:
            self._seen(order.home / APPLIED).unlink(missing_ok=True)
            self.restart()
            done.append("containerd no longer knows gVisor and was started anew")
        for entry in self._seen(order.home).iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()
            done.append(f"{entry.relative_to(self.root)} is gone")
        return done

    def _wanted(self) -> tuple[Path, str]:
        """Return the file in which containerd is told, and all of its text."""
        order = self.order
        root = self._seen(order.containerd) / configuration.FILE
        text = files.read(root)
        layout = self._layout(text)
        runtime = Runtime(handler=order.handler, shim=order.programs / release.PROGRAMS[1], settings=order.settings)
        if layout.drop_ins is None:
            return root, configuration.with_tables(text, layout, runtime)
        configuration.refuse_foreign(text or "", layout, order.handler)
        return self._seen(layout.drop_ins) / configuration.DROP_IN, configuration.render_drop_in(layout, runtime)

    def _layout(self, text: str | None) -> Layout:
        return configuration.detect(None if text is None else configuration.without_tables(text), self.order.containerd)

    def _drop_ins(self, text: str | None) -> list[Path]:
        """Return the folder of drop-ins; none when the configuration has become one that nobody understands."""
        try:
            folder = self._layout(text).drop_ins
        except NodeError:
            return []
        return [] if folder is None else [self._seen(folder)]

    def _settings(self) -> str:
        return (
            "# Written by rakazo-infra's node installer.\n"
            f'binary_name = "{self.order.programs / release.PROGRAMS[0]}"\n\n'
            "[runsc_config]\n"
            f'  platform = "{self.order.platform}"\n'
            '  network = "sandbox"\n'
            '  host-uds = "none"\n'
        )

    def _seen(self, path: Path) -> Path:
        """Return a path of the node as this container has it."""
        return self.root / path.relative_to("/")


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
