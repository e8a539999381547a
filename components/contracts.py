"""What one stage hands to the next: the only types that cross a stage boundary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import pulumi
import pulumi_kubernetes as kubernetes

from probes.facts import Runtime, ServiceFacts
from stacks.kubernetes_version import MUTATES_ADMISSION


@dataclass(frozen=True, kw_only=True)
class Network:
    """Addresses that belong to the cluster itself, as CIDR text (`10.42.0.0/16`, `fd00::/48`)."""

    pods: tuple[str, ...]
    """Pod ranges; the IPv4 one lies in RFC 1918, since web dials computers nowhere else."""
    services: tuple[str, ...]
    nodes: tuple[str, ...]
    """Every address a node has, private and public."""
    api_servers: tuple[str, ...]
    """Endpoints behind the `kubernetes` Service as `address:port`; policies see these, not the Service. Where a cloud
    moves them at will it is the range that they stay in, as `10.0.0.0/24:443`."""
    overlays: tuple[str, ...] = ()
    """Addresses that nodes have inside the pod range, and no pod ever has: what a node's port forwards to a pod of
    another node comes from there."""
    cilium: bool = False
    """Whether Cilium enforces policies: it knows nodes and API servers by what they are, and blocks of addresses match
    neither."""
    late_nodes: pulumi.Output[tuple[str, ...]] | None = field(default=None, repr=False)
    """Addresses of nodes that are known only when the cloud has given them out; None: `nodes` are all."""
    late_api_servers: pulumi.Output[tuple[str, ...]] | None = field(default=None, repr=False)
    """Endpoints that are known only when the cluster is there; None: `api_servers` are all."""

    def complete(self) -> "pulumi.Output[Network]":
        """Return the same facts with every node's address among `nodes`, and every endpoint among `api_servers`."""
        if self.late_nodes is None and self.late_api_servers is None:
            return pulumi.Output.from_input(self)
        late = pulumi.Output.all(nodes=self.late_nodes or (), api_servers=self.late_api_servers or ())
        return late.apply(
            lambda known: replace(
                self,
                nodes=(*self.nodes, *known["nodes"]),
                api_servers=(*self.api_servers, *known["api_servers"]),
                late_nodes=None,
                late_api_servers=None,
            )
        )


@dataclass(frozen=True, kw_only=True)
class Dns:
    """Where pods of the cluster resolve names."""

    pod_labels: tuple[tuple[str, str], ...] = (("k8s-app", "kube-dns"),)
    namespace: str = "kube-system"
    addresses: tuple[str, ...] = ()
    """Resolver addresses that are not pods (NodeLocal DNSCache, Cloud DNS), without prefix length."""


@dataclass(frozen=True, kw_only=True)
class Storage:
    """The storage that volumes of the stack use."""

    storage_class: str
    shared: bool
    """True when one volume can be mounted on several nodes (ReadWriteMany)."""
    shared_class: str | None = None
    """The class of volumes that are, where it is another one; None: the same. No database belongs on it."""


@dataclass(frozen=True, kw_only=True)
class Access:
    """How anybody but Pulumi's own provider reaches the cluster."""

    kubeconfig: pulumi.Input[str] = field(repr=False)
    """A path, or the document itself, which is secret."""
    context: str


@dataclass(frozen=True, kw_only=True)
class OwnNodes:
    """Nodes of the stack itself, on which it may install what isolates computers."""

    distribution: Literal["k3s", "k8s"]
    """Where their containerd is configured: k3s has a place of its own, and k8s is everybody else's."""
    computers: tuple[str, ...] | None = None
    """Names of those that computers run on; None: they come and go without the stack."""


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """A reachable Kubernetes API and the facts about the cluster, whoever made it."""

    provider: kubernetes.Provider
    """Every Kubernetes resource of the stack goes through this provider."""
    access: Access
    kubernetes_version: tuple[int, int]
    """(major, minor)."""
    network: Network
    dns: Dns
    storage: Storage
    begun_from: str = ""
    """Name of the snapshot that the cluster is to begin with when it is made anew; its volumes may be empty then."""
    own_nodes: OwnNodes | None = None
    """None: the nodes are somebody else's, and nothing is installed on them."""
    node_port_annotations: Mapping[str, str] = field(default_factory=dict)
    """What a Service with a node port says, so that the cloud does not open that port to the whole internet."""

    @property
    def mutates_admission(self) -> bool:
        """Whether MutatingAdmissionPolicy v1 is served: on by default from Kubernetes 1.36."""
        return self.kubernetes_version >= MUTATES_ADMISSION


@dataclass(frozen=True, kw_only=True)
class Overhead:
    """What a sandbox costs per pod beside its containers, as Kubernetes quantities."""

    cpu: str
    memory: str


@dataclass(frozen=True, kw_only=True)
class Sandbox:
    """What isolates a computer, and the class that Rakazo's pods name to get it."""

    runtime: Runtime
    runtime_class: str
    """Plain text, so that the first preview shows it; wait for `ready` before using it."""
    ready: pulumi.Resource
    """The RuntimeClass: who names it depends on it."""
    overhead: Overhead
    node_labels: tuple[tuple[str, str], ...]
    """The node selector that the class adds to a pod: the only one that a computer may carry."""
    taints: tuple[str, ...]
    """Keys of the taints that the class tolerates for a pod."""


@dataclass(frozen=True, kw_only=True)
class Application:
    """A running Rakazo."""

    web_service: str
    api_service: str
    namespace: str
    computers_namespace: str
    account: str
    """Service account of api and worker."""
    services: Sequence[ServiceFacts]
    """What each of its services must and must not have."""
    denied_ranges: pulumi.Output[Sequence[str]]
    """Every range that computers must not reach, as CIDR text."""
    isolation: pulumi.Output[str]
    """Changes whenever something does on which isolation depends."""
    ready: pulumi.Resource
    """Its last service: what opens a way in depends on it."""


@dataclass(frozen=True, kw_only=True)
class Proof:
    """That the isolation was looked at; a way in exists behind it alone."""

    namespace: pulumi.Output[str]
    """Namespace of the application, known once the proof is there. Whoever is put into it is taken away before the
    isolation is proven anew, because an object cannot move to a namespace that is not known yet."""
    passed: pulumi.Resource
