"""A cluster that somebody else runs, and the facts about it that policies need."""

from collections.abc import Iterator
from ipaddress import ip_network
from itertools import product
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from stacks.address_range import (
    Address,
    AddressRange,
    Endpoint,
    refused_node_range,
    refused_pod_range,
    refused_pod_ranges,
)
from stacks.base import Model
from stacks.kubernetes_version import KubernetesVersion
from stacks.target.gvisor import GvisorSettings


def _checked_pod_range(text: str) -> str:
    reason = refused_pod_range(text)
    if reason is not None:
        raise ValueError(reason)
    return text


def _checked_pod_ranges(texts: tuple[str, ...]) -> tuple[str, ...]:
    reason = refused_pod_ranges(texts)
    if reason is not None:
        raise ValueError(reason)
    return texts


def _checked_node_range(text: str) -> str:
    reason = refused_node_range(text)
    if reason is not None:
        raise ValueError(reason)
    return text


PodRange = Annotated[AddressRange, AfterValidator(_checked_pod_range)]
NodeRange = Annotated[AddressRange, AfterValidator(_checked_node_range)]


class NetworkFacts(Model):
    """Addresses that belong to the cluster itself. Computers are kept away from all of them."""

    pods: Annotated[tuple[PodRange, ...], Field(min_length=1), AfterValidator(_checked_pod_ranges)]
    """Pod ranges. At least one is IPv4 and inside RFC 1918, since Rakazo's web dials computers nowhere else."""
    services: Annotated[tuple[AddressRange, ...], Field(min_length=1)]
    """Service ranges."""
    nodes: Annotated[tuple[NodeRange, ...], Field(min_length=1)]
    """Every address a node has, private and public: probes come from there, so web and api let these ranges in."""
    api_servers: Annotated[tuple[Endpoint, ...], Field(min_length=1)]
    """Endpoints behind the `kubernetes` Service, as `address:port` (`kubectl get endpointslices -n default`)."""

    @model_validator(mode="after")
    def _ranges_are_apart(self) -> Self:
        for pods, services in product(self.pods, self.services):
            if ip_network(pods).overlaps(ip_network(services)):
                raise ValueError("pods and services overlap; they are two different ranges of the cluster")
        return self


class DnsFacts(Model):
    """Where the cluster resolves names."""

    namespace: str = "kube-system"
    """Namespace of the DNS pods."""
    pod_labels: Annotated[dict[str, str], Field(min_length=1)] = Field(default_factory=lambda: {"k8s-app": "kube-dns"})
    """Labels of the DNS pods. At least one: none would allow every pod of the namespace."""
    addresses: tuple[Address, ...] = ()
    """Resolver addresses that are not pods (NodeLocal DNSCache, Cloud DNS), without prefix length."""


class StorageFacts(Model):
    """The storage that volumes use."""

    storage_class: Annotated[str, Field(min_length=1)]
    """Name of the StorageClass (`kubectl get storageclass`). Always explicit: defaults differ and change."""
    shared: StrictBool = False
    """True when one volume can be mounted on several nodes (ReadWriteMany). Else api and worker share a node."""


class ExistingTarget(Model):
    """A cluster that somebody else runs, reached through a kubeconfig."""

    kind: Literal["existing"]
    """Which target this is."""
    kubeconfig: Annotated[str, Field(min_length=1)]
    """Path of the kubeconfig, relative to the project's root. The ambient one is never used."""
    context: Annotated[str, Field(min_length=1)]
    """Context inside the kubeconfig. Always explicit, so that no other cluster is ever meant by accident."""
    kubernetes_version: KubernetesVersion
    """Major and minor of the server, in quotes: "1.36"."""
    network: NetworkFacts
    """The cluster's own addresses."""
    dns: DnsFacts = DnsFacts()
    """The cluster's DNS."""
    storage: StorageFacts
    """The cluster's storage."""
    gvisor: GvisorSettings | None = None
    """A release of gVisor for the node installer to bring onto the computers' nodes. Unset: they have gVisor."""

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        yield from ()
