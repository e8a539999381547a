"""The private network of rented servers, and which of them has which address on it."""

from ipaddress import IPv4Network, ip_network
from typing import Annotated, Self

from pydantic import AfterValidator, model_validator

from stacks.address_range import AddressRange, is_dialled
from stacks.base import Model

SMALLEST = 24
FIRST_SERVER = 11
FIRST_COMPUTERS = 101
"""Last part of the first machine's address. Hetzner keeps the first address of a network, and servers end at .15."""


def _checked_private_range(text: str) -> str:
    if not is_dialled(text):
        raise ValueError(
            "lies outside 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16, which is all that Hetzner's private networks "
            'take; write such as "10.0.0.0/16"'
        )
    if ip_network(text).prefixlen > SMALLEST:
        raise ValueError(f"is smaller than /{SMALLEST}, which the plan of addresses needs; write a wider range")
    return text


PrivateRange = Annotated[AddressRange, AfterValidator(_checked_private_range)]


class PrivateNetwork(Model):
    """Ranges of the network that the servers share. They can never be changed."""

    range: PrivateRange = "10.0.0.0/16"
    """The whole network."""
    subnet: PrivateRange = "10.0.1.0/24"
    """The part of it that the servers have their addresses in."""

    def server(self, number: int) -> str:
        """Return the address of a server, counted from 1."""
        return self._host(FIRST_SERVER + number - 1)

    def computers(self, number: int) -> str:
        """Return the address of a machine for computers, counted from 1."""
        return self._host(FIRST_COMPUTERS + number - 1)

    def _host(self, number: int) -> str:
        return str(ip_network(self.subnet).network_address + number)

    @model_validator(mode="after")
    def _subnet_is_a_part(self) -> Self:
        whole, part = IPv4Network(self.range), IPv4Network(self.subnet)
        if not part.subnet_of(whole):
            raise ValueError(
                "subnet lies outside range, of which it has to be a part; write such as range: 10.0.0.0/16 and "
                "subnet: 10.0.1.0/24"
            )
        return self
