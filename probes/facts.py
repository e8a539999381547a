"""What is known of a stack from its settings alone: every claim is derived from it."""

import base64
import zlib
from typing import Literal, Self

from stacks.base import Model

Runtime = Literal["gvisor", "kata", "runc"]


class ServiceFacts(Model):
    """One service of the application, as its row in the table of services says."""

    name: str
    """`api`, `worker`, …: value of the label `app.kubernetes.io/component`."""
    port: int | None
    """Where it listens; None when it does not."""
    holds: tuple[str, ...]
    """Variables that it must have."""
    forbidden: tuple[str, ...]
    """Variables that it must not have."""
    token: bool
    """Whether it talks to the Kubernetes API and so holds a token."""


class Facts(Model):
    """A stack: where it runs, what isolates its computers, and who is who. Nothing in it is secret."""

    context: str
    """Context of the kubeconfig that reaches the cluster."""
    kubernetes_version: tuple[int, int]
    """(major, minor)."""
    application: str
    """Namespace of Rakazo itself."""
    computers: str
    """Namespace of its computers."""
    account: str
    """Service account of api and worker."""
    runtime: Runtime
    """What isolates computers, as the settings say."""
    runtime_class: str
    """Name of the RuntimeClass that Rakazo's pods name."""
    node_labels: dict[str, str]
    """Labels of the computers' nodes; empty: every node."""
    waits_for_policies: bool
    """Whether the cluster can put a wait in front of a computer's first program."""
    pods: tuple[str, ...]
    """Pod ranges as CIDR text, one per family."""
    services: tuple[str, ...]
    """Service ranges as CIDR text."""
    nodes: tuple[str, ...]
    """Node ranges as CIDR text."""
    api_servers: tuple[str, ...]
    """Endpoints behind the `kubernetes` Service as `address:port`."""
    denied_ranges: tuple[str, ...]
    """Every range that computers must not reach, as CIDR text."""
    dns_namespace: str
    """Namespace of the cluster's DNS pods."""
    dns_labels: dict[str, str]
    """Labels of the cluster's DNS pods."""
    dns_addresses: tuple[str, ...]
    """Where pods ask for names beside those pods: addresses whose DNS port is open to computers."""
    neighbours: tuple[str, ...]
    """Listeners beside the cluster that computers must not reach, as `address:port`."""
    image_app: str
    """Image of api, worker and web, by digest."""
    image_computer: str
    """Image of computers, by digest."""
    image_postgres: str
    """Image of Postgres, by digest."""
    last_screen_port: int
    """Screens listen on 6080 and from 6100 up to this port."""
    maximum: int
    """Computers that may exist at once."""
    cpu: str
    """Cores that one computer may use at most, as a Kubernetes quantity."""
    ephemeral_storage: str
    """Disk of its node that one computer may fill, as a Kubernetes quantity."""
    memory: str
    """Memory at which a computer is stopped, as a Kubernetes quantity."""
    application_services: tuple[ServiceFacts, ...]
    """Every long-running service."""

    def service(self, name: str) -> ServiceFacts:
        """Return one service; KeyError when the stack has none of that name."""
        for each in self.application_services:
            if each.name == name:
                return each
        raise KeyError(name)

    @property
    def username(self) -> str:
        """The name under which the API server knows api and worker."""
        return f"system:serviceaccount:{self.application}:{self.account}"

    @property
    def probes_namespace(self) -> str:
        """The namespace of what a verification needs beside the computers; it lives no longer than that."""
        return f"{self.application}-verify"

    def pack(self) -> str:
        """Return all of it as one short line: Pulumi prints every output of a stack at every `up`."""
        return base64.b64encode(zlib.compress(self.model_dump_json().encode(), 9)).decode()

    @classmethod
    def unpack(cls, text: str) -> Self:
        """Return what was packed; ValueError (of which ValidationError is one) when it is anything else."""
        try:
            document = zlib.decompress(base64.b64decode(text, validate=True))
        except zlib.error as error:
            raise ValueError("is not what `pack` made") from error
        return cls.model_validate_json(document)
