"""How a computer is made, started again, replaced and removed."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import container, log
from .container_home import home_mount, require_writable
from .container_network import ContainerNetworks
from .container_screens import ContainerScreens
from .docker_engine import NOT_FOUND, DockerEngine, DockerError
from .egress_check import EgressCheck, EgressError
from .supervisor_settings import SupervisorSettings

STOP_SECONDS = 10


class StrangerError(Exception):
    """There is no such computer, or it is another bot's or another space's."""


@dataclass(frozen=True, kw_only=True)
class Owner:
    """Whose computer a request is about."""

    bot: str
    space: str

    @property
    def labels(self) -> dict[str, str]:
        """What the container says then."""
        return container.labels(self.bot, self.space)


class ContainerLife:
    """The computers of one supervisor."""

    def __init__(
        self,
        settings: SupervisorSettings,
        docker: DockerEngine,
        networks: ContainerNetworks,
        screens: ContainerScreens,
        egress: EgressCheck,
    ) -> None:
        self._settings = settings
        self._docker = docker
        self._networks = networks
        self._screens = screens
        self._egress = egress
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ensure(self, owner: Owner, home: str) -> dict[str, Any]:
        """Return the bot's running computer, made, started again or replaced as it is needed.

        Raises:
            DockerError: Docker refused it, or its screen did not answer.
            HomeError: the home is not the bot's or not the computer's to write.
            EgressError: the machine does not hold computers back.

        """
        async with self._locks[owner.bot]:
            itself = await self._docker.container(self._settings.container)
            mounts = [home_mount(self._settings.data, owner.bot, home, itself)]
            mounts += [folder.mount() for folder in self._settings.folders]
            image = await self._image()
            network = await self._networks.ensure(owner.bot)
            found = await self._existing(owner)
            if found is not None and not self._fits(found, image, network):
                await self._docker.remove(found["Id"])
                found = None
            running = found is not None and found["State"]["Running"]
            if not running:
                await self._require_rules(owner.bot, network)
            if found is None:
                await asyncio.to_thread(require_writable, Path(home))
                made = container.options(
                    bot=owner.bot,
                    space=owner.space,
                    image=self._settings.image,
                    network=network["Name"],
                    limits=self._settings.limits,
                    mounts=mounts,
                )
                identifier = await self._docker.create(container.container_name(owner.bot), made)
            else:
                identifier = str(found["Id"])
            if not running:
                await self._docker.start(identifier)
            await self._networks.join(owner.bot)
            url = await self._screens.url(identifier)
        return {"id": identifier, "image": self._settings.image, "screenUrl": url, "resumed": found is not None}

    async def find(self, name: str, owner: Owner) -> dict[str, Any]:
        """Return Docker's description of the owner's computer.

        Raises:
            StrangerError: there is none of this name or identifier that is the owner's.

        """
        try:
            found = await self._docker.container(name)
        except DockerError as error:
            if error.status == NOT_FOUND:
                raise StrangerError("computer not found") from error
            raise
        if owner.labels.items() - found["Config"]["Labels"].items():
            raise StrangerError("computer identity mismatch")
        return found

    async def screen(self, found: dict[str, Any], owner: Owner, *, interactive: bool = False) -> str:
        """Return where the screen of a running computer is; web is on its network then."""
        await self._networks.join(owner.bot)
        return await self._screens.url(found["Id"], interactive=interactive)

    async def place(self, found: dict[str, Any], owner: Owner) -> str | None:
        """Return where the screen of a computer would answer, web being on its network then; None when nowhere."""
        place = self._screens.place(found)
        if place:
            await self._networks.join(owner.bot)
        return place

    async def stop(self, found: dict[str, Any]) -> None:
        """Stop a computer; its home stays where it is."""
        await self._docker.stop(found["Id"], STOP_SECONDS)

    async def remove(self, name: str, owner: Owner) -> None:
        """Remove a computer and its network; its home stays where it is."""
        async with self._locks[owner.bot]:
            found = await self.find(name, owner)
            await self._docker.remove(found["Id"])
            await self._networks.remove(owner.bot)

    async def _image(self) -> str:
        try:
            return str((await self._docker.image(self._settings.image))["Id"])
        except DockerError as error:
            if error.status == NOT_FOUND:
                why = f"{self._settings.image} is not on this machine; pull it before the supervisor starts"
                raise DockerError(NOT_FOUND, why) from error
            raise

    async def _existing(self, owner: Owner) -> dict[str, Any] | None:
        try:
            return await self.find(container.container_name(owner.bot), owner)
        except StrangerError:
            return None

    def _fits(self, found: dict[str, Any], image: str, network: dict[str, Any]) -> bool:
        """Tell whether a computer can go on; one that was cut off from its network, for example by a fault, cannot."""
        attached = found["NetworkSettings"]["Networks"].get(network["Name"])
        return (
            found["Image"] == image
            and found["Config"]["User"] == container.OWNER
            and found["HostConfig"]["NetworkMode"] == network["Name"]
            and attached is not None
            and attached.get("NetworkID") in ("", network["Id"])
        )

    async def _require_rules(self, bot: str, network: dict[str, Any]) -> None:
        if self._settings.egress == "open":
            return
        try:
            await self._egress.require(bot, network)
        except EgressError as error:
            if self._settings.egress == "restricted":
                raise
            log.complain("supervisor", f"{error}; going on, as SANDBOX_COMPUTER_EGRESS is not restricted")
