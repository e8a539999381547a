"""One rented server at Hetzner Cloud that runs Docker."""

from collections.abc import Iterator
from typing import ClassVar, Self

from pydantic import Field, model_validator

from stacks.base import Model
from stacks.target.docker import DockerSettings
from stacks.target.rented import RentedTarget
from stacks.target.rented_machine import RentedMachine
from stacks.target.server_type import ServerType, refused_in_zone

KEY = "server-1"


class RentedServer(Model):
    """The server."""

    type: ServerType = "cx43"
    """Server type. Changing it replaces nothing: Hetzner rescales the server, at today's prices."""


class DockerHetznerTarget(RentedTarget):
    """A server, its address and a firewall; Docker on it runs Rakazo and its computers."""

    secrets_of: ClassVar[str] = "docker-hetzner"

    server: RentedServer = Field(default_factory=RentedServer)
    """The server: one, since the supervisor makes computers through the Docker beside it."""
    docker: DockerSettings
    """Which release of Docker."""

    @property
    def machines(self) -> tuple[RentedMachine, ...]:
        """The one machine. It shares a network with nobody."""
        alone = RentedMachine(
            key=KEY,
            role="server",
            pool="all",
            type=self.server.type,
            private_address=None,
            group="servers-1",
            generation=0,  # all data is on its disk: nothing but a destroy ends it
        )
        return (alone,)

    @model_validator(mode="after")
    def _the_type_is_sold_there(self) -> Self:
        reason = refused_in_zone(self.server.type, self.zone)
        if reason is not None:
            raise ValueError(f"server.type: {reason}")
        return self

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if not self.admin_cidrs:
            yield (
                "settings.target.admin_cidrs is empty: nobody reaches SSH from outside, this program included. Write "
                "the addresses that you come from before the next `pulumi up`."
            )
        if not self.protect:
            yield (
                "settings.target.protect is false: `pulumi destroy` and a wrong `pulumi up` delete the server and all "
                "data on it without asking twice. Write protect: true as soon as that is done."
            )
