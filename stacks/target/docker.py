"""Which release of Docker Engine and of Compose a machine gets."""

import re
from ipaddress import IPv4Network, ip_network
from typing import Annotated

from pydantic import AfterValidator, Field

from stacks.address_range import DIALLED, AddressRange
from stacks.base import Model
from stacks.target.mirror import Mirror

OLDEST_ENGINE = (26, 0)
"""The first that mounts a part of a volume, as Rakazo's supervisor mounts a computer's home."""
OLDEST_COMPOSE = (2, 30)
"""The first that reads a file of secrets as it is, without taking a dollar sign for a variable."""
SMALLEST_POOL = 20
"""Prefix length: sixteen networks, ten of which are Rakazo's own, docker0's and those of a proof."""
NETWORK = 24
"""Prefix length of one network; each computer has one of its own."""
OWN_NETWORKS = 5 + 1
"""Rakazo's, and docker0."""
PROOF_NETWORKS = 4
"""Of two computers and two strangers, while the isolation is proven."""

_RELEASE = re.compile(r"([1-9][0-9]{0,2})\.([0-9]{1,3})\.([0-9]{1,3})")


def _at_least(text: str, oldest: tuple[int, int], what: str, such_as: str) -> str:
    match = _RELEASE.fullmatch(text)
    if match is None:
        raise ValueError(f'is not a release of {what}; write its number alone, such as "{such_as}"')
    if (int(match[1]), int(match[2])) < oldest:
        raise ValueError(f"is older than {oldest[0]}.{oldest[1]}, the oldest that works here; write a newer one")
    return text


def _checked_engine(text: str) -> str:
    return _at_least(text, OLDEST_ENGINE, "Docker Engine", "28.5.2")


def _checked_compose(text: str) -> str:
    return _at_least(text, OLDEST_COMPOSE, "Docker Compose", "5.5.1")


def _checked_pool(text: str) -> str:
    network = ip_network(text)
    if not isinstance(network, IPv4Network) or not any(network.subnet_of(dialled) for dialled in DIALLED):
        raise ValueError(
            "lies outside 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16: Rakazo's web dials computers only there, so "
            'every screen would be refused; write such as "10.189.0.0/16"'
        )
    if network.prefixlen > SMALLEST_POOL:
        raise ValueError(
            f"is smaller than /{SMALLEST_POOL}, and each computer takes a /{NETWORK} of it; write a wider range"
        )
    return text


Checksum = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class DockerSettings(Model):
    """One release each of Docker Engine and of its Compose plugin, by name and checksum, for x86-64.

    A Docker that is on the machine already is adopted and never changed; of all this only Compose is then installed,
    where the machine has none.
    """

    version: Annotated[str, AfterValidator(_checked_engine)]
    """Release of Docker Engine, such as "28.5.2". Never moves by itself."""
    sha256: Checksum
    """Checksum of docker-<version>.tgz. Docker publishes none beside it: take it from a file that you looked at."""
    mirror: Mirror = "https://download.docker.com"
    """Holds linux/static/stable/x86_64/docker-<version>.tgz; for machines without a way there, a server of yours."""
    compose_version: Annotated[str, AfterValidator(_checked_compose)]
    """Release of Docker Compose, such as "5.5.1"."""
    compose_sha256: Checksum
    """Checksum of docker-compose-linux-x86_64 (its release has it as docker-compose-linux-x86_64.sha256)."""
    compose_mirror: Mirror = "https://github.com/docker/compose/releases/download"
    """Holds v<compose_version>/docker-compose-linux-x86_64."""
    address_pool: Annotated[AddressRange, AfterValidator(_checked_pool)] = "10.189.0.0/16"
    """Where Docker takes the ranges of its networks from, one /24 per computer. Nothing that the machine reaches may
    lie in it. An adopted Docker goes on with its own; Rakazo's supervisor has its address here all the same."""

    @property
    def url(self) -> str:
        """Where the archive is."""
        return f"{self.mirror}/linux/static/stable/x86_64/docker-{self.version}.tgz"

    @property
    def compose_url(self) -> str:
        """Where the plugin is."""
        return f"{self.compose_mirror}/v{self.compose_version}/docker-compose-linux-x86_64"

    @property
    def rooms(self) -> int:
        """How many computers find a network of their own in the pool."""
        spare: int = NETWORK - ip_network(self.address_pool).prefixlen
        return (1 << spare) - OWN_NETWORKS - PROOF_NETWORKS
