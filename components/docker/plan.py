"""A machine with Docker as it is to be: what all rendering starts from."""

from collections.abc import Sequence
from dataclasses import dataclass

from stacks.docker_computers import DockerComputers
from stacks.target.docker import DockerSettings


@dataclass(frozen=True, kw_only=True)
class DockerPlan:
    """All that the machine is told, none of it secret."""

    stack: str
    machine: str
    """What errors call it."""
    is_new: bool
    docker: DockerSettings
    computers: DockerComputers
    """What the machine needs room for, and which of its folders they see."""
    cores: int
    """What it has to have: Docker refuses a limit above it."""
    images: Sequence[str]
    """What is fetched before anything is changed, by digest."""
    release: str
    """The application's image: with another one the database is migrated while nobody uses it."""
    compose: str
    """The project."""
    isolation: str
    """Changes whenever something does in the project that opens or closes something."""
    entry: str
    """What opens its way in."""
    supervisor_range: str
    """Of the one network whose range is written out, as CIDR text."""
    denied: Sequence[str]
    """Ranges that computers must not reach, as CIDR text of both families."""
