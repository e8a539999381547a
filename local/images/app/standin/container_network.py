"""The network of one computer: a bridge of its own, joined by the supervisor and by web, and by nobody else."""

from typing import Any

from .container import BRIDGE_OPTION, bridge_name, network_name
from .docker_engine import DockerEngine, DockerError

PROJECT = "com.docker.compose.project"
SERVICE = "com.docker.compose.service"


class ContainerNetworks:
    """The networks of one supervisor's computers."""

    def __init__(self, docker: DockerEngine, supervisor: str, *, named: bool) -> None:
        """`named` bridges are the ones that the machine's firewall knows."""
        self._docker = docker
        self._supervisor = supervisor
        self._named = named

    async def ensure(self, bot: str) -> dict[str, Any]:
        """Return the bot's network, made when it is missing and made anew when its bridge has another name."""
        name = network_name(bot)
        found = await self._docker.network(name)
        if found is not None and not self._fits(bot, found):
            await self.remove(bot)
            found = None
        if found is None:
            await self._docker.create_network(name, {BRIDGE_OPTION: bridge_name(bot)} if self._named else {})
            found = await self._docker.network(name)
        if found is None or not self._fits(bot, found):
            raise DockerError(0, f"failed to replace unrestricted network {name}")
        return found

    def _fits(self, bot: str, network: dict[str, Any]) -> bool:
        return not self._named or (network.get("Options") or {}).get(BRIDGE_OPTION) == bridge_name(bot)

    async def join(self, bot: str) -> None:
        """Connect the supervisor and every web of its project that is not connected; a new web has to be."""
        found = await self._docker.network(network_name(bot))
        if found is None:
            raise DockerError(404, f"there is no network {network_name(bot)}")
        itself = await self._docker.container(self._supervisor)
        project = itself["Config"]["Labels"].get(PROJECT)
        peers = {itself["Id"]}
        if project:
            webs = await self._docker.containers(f"{PROJECT}={project}", f"{SERVICE}=web")
            peers |= {each["Id"] for each in webs if each["State"] == "running"}
        for peer in peers - set(found["Containers"] or {}):
            try:
                await self._docker.connect(found["Id"], peer)
            except DockerError as error:
                if "already exists" not in str(error):  # another request was faster
                    raise

    async def remove(self, bot: str) -> None:
        """Remove the bot's network with whoever is still on it."""
        found = await self._docker.network(network_name(bot))
        if found is None:
            return
        for peer in found["Containers"] or {}:
            await self._docker.disconnect(found["Id"], peer)
        await self._docker.remove_network(found["Id"])
