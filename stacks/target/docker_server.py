"""A Linux machine that exists already and runs Docker, or gets it."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from stacks.base import Model
from stacks.object_name import ObjectName
from stacks.target.docker import DockerSettings
from stacks.target.machine import HostKey, MachineAddress
from stacks.target.ssh import SshSettings


class DockerMachine(Model):
    """The machine. It may have other services, which nothing here touches."""

    name: ObjectName
    """What errors call it. The machine's own host name does not matter."""
    address: MachineAddress
    """Where SSH reaches it."""
    host_key: HostKey
    """The SSH server's public key. A machine that shows another one is told nothing."""


class DockerServerTarget(Model):
    """One Linux machine, reached over SSH, on which Docker runs Rakazo and its computers."""

    secrets_of: ClassVar[str] = "docker"

    kind: Literal["server"]
    """Which target this is."""
    ssh: SshSettings = SshSettings()
    """How the machine is logged in to."""
    machines: Annotated[tuple[DockerMachine, ...], Field(min_length=1)]
    """The machine: one, as [{name: rakazo-1, address: 203.0.113.10, host_key: "ssh-ed25519 AAAA…"}]."""
    docker: DockerSettings
    """Which release of Docker."""

    @property
    def machine(self) -> DockerMachine:
        """The one machine."""
        return self.machines[0]

    @model_validator(mode="after")
    def _one_machine(self) -> Self:
        if len(self.machines) > 1:
            raise ValueError(
                f"machines: there are {len(self.machines)}, and Docker computers live on one machine: the supervisor "
                "makes them through the Docker beside it. Write one machine, or leave out target.docker and "
                "computers.kind for a Kubernetes of several"
            )
        return self

    @model_validator(mode="after")
    def _the_machine_is_outside_the_pool(self) -> Self:
        if ip_address(self.machine.address) in ip_network(self.docker.address_pool):
            raise ValueError(
                f"docker.address_pool holds the machine's own address {self.machine.address}, which nobody would reach "
                'any more; write another range, such as address_pool: "172.30.0.0/16"'
            )
        return self

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        yield from ()
