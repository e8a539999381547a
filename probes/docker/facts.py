"""What is known of a stack with Docker computers from its settings alone."""

import base64
import json
import zlib
from typing import Literal, Self

from probes.facts import ServiceFacts
from stacks.base import Model

KIND = "docker"


class MountFacts(Model):
    """A folder of the machine that every computer sees."""

    source: str
    target: str
    read_only: bool


class DockerFacts(Model):
    """A stack on one machine: how it is reached, what holds its computers back, and who is who. Nothing is secret."""

    kind: Literal["docker"] = "docker"
    machine: str
    """Its name in the settings."""
    address: str
    """Where SSH reaches it."""
    host_key: str
    """Public key of its SSH server."""
    ssh_user: str
    ssh_port: int
    application: str
    """Project of Compose that runs Rakazo; its containers are labelled with it."""
    runtime: Literal["runc"] = "runc"
    """What isolates computers: Rakazo's supervisor knows no other runtime."""
    denied_ranges: tuple[str, ...]
    """Every range that computers must not reach, as CIDR text."""
    neighbours: tuple[str, ...]
    """Listeners beside the machine that computers must not reach, as `address:port`."""
    image_app: str
    """Image of supervisor, api, worker and web, by digest."""
    image_computer: str
    """Image of computers, by digest."""
    image_postgres: str
    """Image of Postgres, by digest."""
    last_screen_port: int
    """Screens listen on 6080 and from 6100 up to this port."""
    maximum: int
    """Computers that one space may have."""
    cpu: str
    """Cores that one computer may use at most, as a Kubernetes quantity."""
    memory: str
    """Memory at which a computer is stopped, as a Kubernetes quantity."""
    pids: int
    """Processes and threads that one computer may have."""
    mounts: tuple[MountFacts, ...]
    """Folders of the machine that computers see."""
    web: str
    """Where the way in opens on the machine, as `address:port`."""
    secrets_folder: str
    """Folder of the machine whose files hold the services' secrets."""
    application_services: tuple[ServiceFacts, ...]
    """Every long-running service."""

    def service(self, name: str) -> ServiceFacts:
        """Return one service; KeyError when the stack has none of that name."""
        for each in self.application_services:
            if each.name == name:
                return each
        raise KeyError(name)

    def pack(self) -> str:
        """Return all of it as one short line: Pulumi prints every output of a stack at every `up`."""
        return base64.b64encode(zlib.compress(self.model_dump_json().encode(), 9)).decode()

    @classmethod
    def unpack(cls, text: str) -> Self:
        """Return what was packed; ValueError (of which ValidationError is one) when it is anything else."""
        return cls.model_validate_json(_document(text))


def is_docker(text: str) -> bool:
    """Whether packed facts are a Docker stack's; ValueError when they are nobody's."""
    told = json.loads(_document(text))
    return isinstance(told, dict) and told.get("kind") == KIND


def _document(text: str) -> bytes:
    try:
        return zlib.decompress(base64.b64decode(text, validate=True))
    except zlib.error as error:
        raise ValueError("is not what `pack` made") from error
