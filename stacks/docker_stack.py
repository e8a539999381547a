"""What a stack may say whose computers Docker runs: the other typed form of `Pulumi.<stack>.yaml`."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from stacks.application import PeopleSettings
from stacks.base import Model
from stacks.docker_computers import DockerComputers
from stacks.edge import LoopbackEdge
from stacks.images import ImagesSettings
from stacks.matrix import MATRIX
from stacks.proof import ProofSettings
from stacks.target.docker_hetzner import DockerHetznerTarget
from stacks.target.docker_server import DockerServerTarget

TARGETS = ("server", "hetzner")
KUBERNETES_ONLY = ("k3s", "gvisor", "network", "computers", "servers")
"""Keys of those targets that belong to a cluster."""

DockerTarget = Annotated[DockerServerTarget | DockerHetznerTarget, Field(discriminator="kind")]


class DockerRuntime(Model):
    """No sandbox: computers are containers and share the machine's kernel with Rakazo and everything else on it."""

    kind: Literal["runc"]
    """Written out, so that nobody takes these computers for more than they are."""


class DockerStackSettings(Model):
    """Everything a stack file with Docker computers may contain except secrets."""

    target: DockerTarget
    """Which machine."""
    runtime: DockerRuntime
    """What isolates computers."""
    images: ImagesSettings
    """Which release."""
    computers: DockerComputers
    """How large and how many computers may be."""
    application: PeopleSettings
    """What people see."""
    edge: LoopbackEdge
    """The way in."""
    proof: ProofSettings = ProofSettings()
    """What has to be proven before it opens."""

    @model_validator(mode="before")
    @classmethod
    def _docker_goes_with_the_rest(cls, document: Any) -> Any:
        if isinstance(document, dict):
            reason = refused(document)
            if reason is not None:
                raise ValueError(reason)
        return document

    @model_validator(mode="after")
    def _each_computer_finds_a_network(self) -> Self:
        rooms = self.target.docker.rooms
        if self.computers.maximum > rooms:
            raise ValueError(
                f"computers.maximum is {self.computers.maximum}, and target.docker.address_pool has networks for "
                f'{rooms}; write a wider range, such as address_pool: "10.189.0.0/16"'
            )
        return self

    def notes(self) -> Iterator[str]:
        """Yield what a preview says although there is nothing to mend."""
        yield (
            f"computers on Docker: {self.computers.arithmetic}. Compare it with the machine's memory (free -g); "
            "`pulumi up` does so there, and says how many fit."
        )

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        yield from self.target.warnings()
        yield from self.computers.warnings()
        yield (
            "settings.runtime is runc, the only one that Rakazo's Docker supervisor has: computers share the machine's "
            "kernel with Rakazo, its database and every other service there, and a fault in that kernel gives whoever "
            "steers a computer the machine. For a kernel of their own write computers without kind, target.k3s and "
            "runtime: {kind: gvisor}."
        )
        if self.proof.gate == "report":
            yield (
                "settings.proof.gate is report: the way in opens although a claim about the isolation may not hold. "
                "Write proof: {gate: enforce}."
            )


def is_docker(document: object) -> bool:
    """Whether a stack file means Docker computers, by either of the two keys that say so."""
    return isinstance(document, Mapping) and (_kind(document, "computers") == "docker" or _has_docker(document))


def refused(document: Mapping[str, Any]) -> str | None:
    """Say why Docker computers do not go with the rest of a stack file, as YAML gave it; None when they do."""
    computers, target, runtime = (_kind(document, section) for section in ("computers", "target", "runtime"))
    if computers != "docker":
        return (
            "target.docker is written, and computers.kind is not docker: Kubernetes would run the computers and nobody "
            "the Docker. Write computers: {kind: docker}, or leave out target.docker"
        )
    if isinstance(target, str) and target in MATRIX and target not in TARGETS:
        return (
            f"computers.kind: docker does not go with target.kind: {target}, which is a Kubernetes: Rakazo's "
            "supervisor makes computers through the Docker of its own machine. Write target.kind: server or hetzner "
            "with target.docker, or leave out computers.kind"
        )
    if runtime in ("gvisor", "kata"):
        return (
            f"runtime.kind: {runtime} does not go with computers.kind: docker: Rakazo's supervisor starts its "
            "containers with Docker's own runtime, whatever else the machine has. Write runtime: {kind: runc}, and "
            "know that computers then share the machine's kernel; for a kernel of their own leave out computers.kind "
            "and write target.k3s"
        )
    lost = [key for key in KUBERNETES_ONLY if key in _section(document, "target")]
    if lost:
        return (
            f"target.{lost[0]} belongs to Kubernetes, and computers.kind is docker: what is written would mean "
            f"nothing. Leave out {', '.join(lost)}, or computers.kind and target.docker"
        )
    if target in TARGETS and not _has_docker(document):
        return (
            "target.docker is missing, and computers.kind is docker. Write the releases and their checksums, "
            'docker: {version: "28.5.2", sha256: …, compose_version: "5.5.1", compose_sha256: …}'
        )
    return None


def _section(document: Mapping[str, Any], section: str) -> Mapping[str, Any]:
    found = document.get(section)
    return found if isinstance(found, Mapping) else {}


def _kind(document: Mapping[str, Any], section: str) -> object:
    return _section(document, section).get("kind")


def _has_docker(document: Mapping[str, Any]) -> bool:
    return "docker" in _section(document, "target")
