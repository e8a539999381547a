"""What stands around a computer right now: the addresses of nodes, API servers, DNS and the application's pods."""

import contextlib
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from kubernetes import client

from probes.facts import Facts
from probes.vantage import Vantage

COMPONENT = "app.kubernetes.io/component"
INSTANCE = "app.kubernetes.io/instance"
NODE_ADDRESSES = ("InternalIP", "ExternalIP")


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Addresses that only the running cluster knows."""

    nodes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Every address of every node, by the node's name."""
    api_servers: tuple[tuple[str, int], ...] = ()
    """Address and port of every endpoint behind the `kubernetes` Service."""
    public_api: tuple[tuple[str, int], ...] = ()
    """Where the kubeconfig finds the API server, unless that is this machine's own loopback."""
    dns_pods: tuple[str, ...] = ()
    """Addresses of the cluster's DNS pods."""
    pods: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Addresses of one running pod of each service of the application, by the service's name."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Name of that pod."""
    services: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Addresses of each service's Service, by the service's name."""
    computers_nodes: frozenset[str] = frozenset()
    """Names of the nodes that computers run on."""
    cast: Mapping[Vantage, tuple[str, ...]] = field(default_factory=dict)
    """Addresses of a verification's own pods, once they run."""
    cast_service: tuple[str, ...] = ()
    """Addresses of a Service in front of one of them."""


def look_around(api: client.ApiClient, facts: Facts) -> Surroundings:
    """Ask the API server; ApiException when the operator may not."""
    core = client.CoreV1Api(api)
    nodes = core.list_node().items
    wanted = facts.node_labels.items()
    chosen = dict(_chosen_pods(core, facts))
    return Surroundings(
        nodes={
            # A node has none until its cloud controller has initialised it.
            node.metadata.name: tuple(a.address for a in node.status.addresses or [] if a.type in NODE_ADDRESSES)
            for node in nodes
        },
        api_servers=tuple(_endpoints(api)),
        public_api=tuple(_public_api(api)),
        dns_pods=tuple(_dns_pods(core, facts)),
        pods={name: _addresses(pod) for name, pod in chosen.items()},
        names={name: pod.metadata.name for name, pod in chosen.items()},
        services=dict(_services(core, facts)),
        computers_nodes=frozenset(
            node.metadata.name for node in nodes if wanted <= (node.metadata.labels or {}).items()
        ),
    )


def ready_pods(api: client.ApiClient, facts: Facts) -> dict[str, str]:
    """Return the name of the newest ready pod of each service that has one, by the service's name."""
    return {name: pod.metadata.name for name, pod in _chosen_pods(client.CoreV1Api(api), facts)}


def _addresses(pod: client.V1Pod) -> tuple[str, ...]:
    return tuple(each.ip for each in pod.status.pod_ips or [] if each.ip) or (str(pod.status.pod_ip),)


def _chosen_pods(core: client.CoreV1Api, facts: Facts) -> Iterator[tuple[str, client.V1Pod]]:
    """Yield the newest ready pod of each service: during a rollout the old ones still run."""
    for service in facts.application_services:
        selector = f"{INSTANCE}={facts.application},{COMPONENT}={service.name}"
        pods = core.list_namespaced_pod(facts.application, label_selector=selector).items
        ready = [pod for pod in pods if _is_ready(pod)]
        if ready:
            yield service.name, max(ready, key=lambda pod: pod.metadata.creation_timestamp)


def _is_ready(pod: client.V1Pod) -> bool:
    """Whether Kubernetes' own probes, which come from the pod's node, find it ready."""
    conditions = {each.type: each.status for each in pod.status.conditions or []}
    return conditions.get("Ready") == "True" and pod.metadata.deletion_timestamp is None


def _services(core: client.CoreV1Api, facts: Facts) -> Iterator[tuple[str, tuple[str, ...]]]:
    for service in core.list_namespaced_service(facts.application).items:
        name = (service.spec.selector or {}).get(COMPONENT)
        if service.spec.type == "ClusterIP" and name and service.spec.cluster_ip not in (None, "None"):
            yield name, tuple(service.spec.cluster_ips or [service.spec.cluster_ip])


def _endpoints(api: client.ApiClient) -> Iterator[tuple[str, int]]:
    slices = client.DiscoveryV1Api(api).list_namespaced_endpoint_slice(
        "default", label_selector="kubernetes.io/service-name=kubernetes"
    )
    for each in slices.items:
        for endpoint in each.endpoints or []:
            for port in each.ports or []:
                for address in endpoint.addresses:
                    yield address, port.port


def _public_api(api: client.ApiClient) -> Iterator[tuple[str, int]]:
    url = urlsplit(api.configuration.host)
    with contextlib.suppress(socket.gaierror):  # behind a proxy the name may mean nothing here
        found = socket.getaddrinfo(url.hostname, url.port or 443, type=socket.SOCK_STREAM)
        for address in sorted({str(each[4][0]) for each in found}):
            if not ip_address(address).is_loopback:
                yield address, url.port or 443


def _dns_pods(core: client.CoreV1Api, facts: Facts) -> Iterator[str]:
    selector = ",".join(f"{key}={value}" for key, value in facts.dns_labels.items())
    for pod in core.list_namespaced_pod(facts.dns_namespace, label_selector=selector).items:
        if pod.status.phase == "Running":
            yield from _addresses(pod)


def kubernetes_services(facts: Facts) -> list[str]:
    """Return the addresses of the `kubernetes` Service: always the first of a range."""
    return [str(ip_network(text).network_address + 1) for text in facts.services]


def lasting(pods: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out pods that a rollout is taking away: they are of the stack as it was before."""
    return [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
