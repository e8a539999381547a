"""containerd on a node: its configuration, its start, and the images that it is given."""

import asyncio

from tests.k3s.program import containerd_merge, cri, images, journal, toml_text
from tests.k3s.program.children import Children
from tests.k3s.program.containerd_template import Containerd
from tests.k3s.program.images import Archive
from tests.k3s.program.node_programs import RAN_CONFIG, containerd
from tests.k3s.program.paths import CONTAINERD_SOCKET, write
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.release import Release
from tests.k3s.program.settings import NodeSettings
from tests.k3s.program.waiting import until

SOCKET_SECONDS = 60.0


class Runtime:
    """One start of containerd, which goes on beside everything else."""

    def __init__(self, settings: NodeSettings, release: Release, children: Children) -> None:
        """Begin; what fails ends the service."""
        self._settings = settings
        self._release = release
        self._children = children
        self._archives = children.background(self._start())
        self._images = children.background(self._bring())

    async def serving(self) -> None:
        """Wait until containerd answers."""
        await self._children.outcome(self._archives)

    async def furnished(self) -> None:
        """Wait until every image is there."""
        await self._children.outcome(self._images)

    async def _bring(self) -> None:
        await asyncio.to_thread(images.bring, await self._archives)

    async def _start(self) -> list[Archive]:
        layout, release = self._settings.layout, self._release
        archives = await asyncio.to_thread(images.found, layout.images)
        pause = self._settings.pause_image or images.named(archives, "pause")
        wanted = Containerd(layout, release, pause, self._settings.snapshotter, self._settings.default_runtime)
        try:
            write(layout.containerd_config, wanted.render())
            merged = containerd_merge.load(layout.containerd_config, 3 if release.has_containerd_2 else 2)
        except Refusal as refusal:
            # Where a person looks for it: k3s' containerd writes it there, again at every start of the service.
            layout.containerd_log.parent.mkdir(parents=True, exist_ok=True)
            with layout.containerd_log.open("a", encoding="utf-8") as log:
                log.write(f"{refusal}\n")
            raise
        write(RAN_CONFIG, toml_text.render(containerd_merge.for_debian(merged)))
        journal.info(f"Logging containerd to {layout.containerd_log}")
        CONTAINERD_SOCKET.unlink(missing_ok=True)
        await self._children.start("containerd", containerd(), log=layout.containerd_log)
        await until("containerd", SOCKET_SECONDS, _unready, self._children)
        return archives


def _unready() -> str | None:
    """Return why kubelet would give up on containerd: after a restart it first looks at the containers that run."""
    if not CONTAINERD_SOCKET.is_socket():
        return "it has no socket yet"
    try:
        cri.ask("Version")
    except Refusal as refusal:
        return str(refusal)
    return None
