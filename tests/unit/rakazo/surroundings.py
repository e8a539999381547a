"""A cluster, a sandbox and sizes that the tests of this package share: invented, and typical."""

import pulumi
import pulumi_kubernetes as kubernetes

from components.contracts import Dns, Network, Overhead, Sandbox
from components.kubernetes import names
from components.rakazo.admission import Admission, AdmissionArgs
from components.rakazo.namespaces import Namespaces, NamespacesArgs
from components.rakazo.network_policies import NetworkPolicies, NetworkPoliciesArgs
from components.rakazo.permissions import Permissions, PermissionsArgs, username
from components.rakazo.quota import Quota, QuotaArgs, Size
from components.rakazo.startup_wait import StartupWait, StartupWaitArgs

APPLICATION = "rakazo"
COMPUTERS = "rakazo-sandboxes"
COMPUTER_IMAGE = f"registry.example/computer@sha256:{'a' * 64}"
RAKAZO = username(APPLICATION)
LIMITS = Size(cpu="2", memory="4Gi", ephemeral_storage="10Gi")
RESERVE = Size(cpu="250m", memory="512Mi", ephemeral_storage="1Gi")
NETWORK = Network(
    pods=("10.42.0.0/16",),
    services=("10.43.0.0/16",),
    nodes=("10.10.0.0/24", "192.175.48.7/32"),
    api_servers=("10.10.0.11:6443", "192.175.48.9:6443"),
)
"""One node and one API server have public addresses that no list of private ranges covers."""
DUAL_STACK = Network(
    pods=("10.42.0.0/16", "fd00:42::/56"),
    services=("10.43.0.0/16", "fd00:43::/112"),
    nodes=("10.10.0.0/24", "2a01:4f8::/64"),
    api_servers=("10.10.0.11:6443", "[2a01:4f8::11]:6443"),
)


def labels(component: str) -> dict[str, str]:
    """Labels of one of Rakazo's own pods."""
    return names.labels(APPLICATION, component)


def sandbox() -> Sandbox:
    """Declare a class to be ready, without a runtime component around it."""
    return Sandbox(
        runtime="gvisor",
        runtime_class="rakazo-gvisor",
        ready=kubernetes.node.v1.RuntimeClass("gvisor", handler="runsc"),
        overhead=Overhead(cpu="50m", memory="64Mi"),
        node_labels=(("rakazo-infra/pool", "computers"),),
        taints=("rakazo-infra/pool",),
    )


def declare_namespaces() -> Namespaces:
    """Declare both namespaces."""
    return Namespaces(
        "namespaces",
        NamespacesArgs(application=APPLICATION, computers=COMPUTERS, kubernetes_version=(1, 36)),
    )


def declare_network(
    network: Network = NETWORK, dns: Dns | None = None, last_display_port: int = 6199
) -> NetworkPolicies:
    """Declare every policy."""
    return NetworkPolicies(
        "network",
        NetworkPoliciesArgs(
            application_namespace=APPLICATION,
            computers_namespace=COMPUTERS,
            network=network,
            dns=dns or Dns(),
            last_display_port=last_display_port,
            after=[declare_namespaces()],
        ),
    )


def declare_permissions() -> Permissions:
    """Declare the service account and its rights."""
    return Permissions(
        "permissions",
        PermissionsArgs(application_namespace=APPLICATION, computers_namespace=COMPUTERS, after=[declare_network()]),
    )


def declare_quota(requests: Size = LIMITS, maximum: int = 10) -> Quota:
    """Declare limits and quota."""
    return Quota("quota", quota_args(requests=requests, maximum=maximum, after=[declare_network()]))


def quota_args(*, requests: Size = LIMITS, maximum: int = 10, after: list[pulumi.Resource] | None = None) -> QuotaArgs:
    """Return the inputs of a quota."""
    return QuotaArgs(
        application_namespace=APPLICATION,
        computers_namespace=COMPUTERS,
        limits=LIMITS,
        requests=requests,
        overhead=Overhead(cpu="50m", memory="64Mi"),
        maximum=maximum,
        after=after or [],
    )


def declare_admission(first_init_container: str | None = "network-policy-wait") -> Admission:
    """Declare what the API server refuses."""
    return Admission(
        "admission",
        AdmissionArgs(
            application_namespace=APPLICATION,
            computers_namespace=COMPUTERS,
            sandbox=sandbox(),
            computer_image=COMPUTER_IMAGE,
            creators=[RAKAZO],
            first_init_container=first_init_container,
        ),
    )


def declare_startup_wait(*, mutates_admission: bool = True) -> StartupWait:
    """Declare what closes the start-up window."""
    return StartupWait(
        "startup",
        StartupWaitArgs(
            application_namespace=APPLICATION,
            computers_namespace=COMPUTERS,
            limits=LIMITS,
            requests=LIMITS,
            mutates_admission=mutates_admission,
        ),
    )
