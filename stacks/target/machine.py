"""One machine that exists already."""

import base64
import binascii
from ipaddress import ip_address
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, model_validator

from stacks.address_range import Address
from stacks.base import Model
from stacks.object_name import ObjectName
from stacks.target.cluster_ranges import IPV4

Role = Literal["server", "agent"]
Pool = Literal["system", "computers", "all"]

KEY_KINDS = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa")


def _checked_machine_address(text: str) -> str:
    address = ip_address(text)
    if address.version != IPV4:
        raise ValueError("is IPv6; nodes of this cluster are known by their IPv4 addresses, write one of those")
    if address.is_loopback or address.is_unspecified or address.is_multicast or address.is_link_local:
        raise ValueError("is no address of a machine; write the one under which you reach it")
    return text


def _checked_host_key(text: str) -> str:
    kind, _, rest = text.strip().partition(" ")
    encoded = rest.split(" ", 1)[0]
    if kind.startswith(("SHA256:", "MD5:")):
        raise ValueError(
            "is a fingerprint, with which nobody can be checked; write the key itself: the machine's "
            "/etc/ssh/ssh_host_ed25519_key.pub"
        )
    try:
        blob = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        blob = b""
    if kind not in KEY_KINDS or kind.encode() not in blob[:32]:
        raise ValueError(
            'is not a host key; write it as "ssh-ed25519 AAAA…", which is the machine\'s own '
            "/etc/ssh/ssh_host_ed25519_key.pub. Read it on the machine's console: what the network shows is what "
            "is to be checked"
        )
    return f"{kind} {encoded}"


MachineAddress = Annotated[Address, AfterValidator(_checked_machine_address)]
HostKey = Annotated[str, AfterValidator(_checked_host_key)]


class Machine(Model):
    """A Linux machine that becomes a node."""

    name: ObjectName
    """Name of the node. The machine's own host name does not matter."""
    address: MachineAddress
    """Where SSH reaches it, and on a server the Kubernetes API."""
    private_address: MachineAddress | None = None
    """Its address on a network that only your machines share. Unset: nodes talk over `address`, inside WireGuard."""
    role: Role = "server"
    """`server` runs the Kubernetes API and its database as well; there are one, three or five."""
    pool: Pool = "all"
    """What runs on it: `system` is Rakazo, `computers` is computers and nothing else, `all` is both on one machine."""
    host_key: HostKey
    """The SSH server's public key. A machine that shows another one is told nothing."""

    @model_validator(mode="after")
    def _a_server_is_no_place_for_computers_alone(self) -> Self:
        if self.role == "server" and self.pool == "computers":
            raise ValueError(
                "pool is computers on a server: whoever breaks out of a computer would sit beside the Kubernetes API "
                "and its database; write role: agent, or pool: system"
            )
        return self

    @property
    def node_address(self) -> str:
        """The address under which other nodes know it."""
        return self.private_address or self.address

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address that it has."""
        return (self.address,) if self.private_address is None else (self.address, self.private_address)
