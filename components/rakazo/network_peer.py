"""The peers and ports of which network policies are made.

A peer that names a namespace and a pod does so in one item. Two items would mean "either of the two": any
pod of the namespace, and any pod at hand that carries the label.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.networking import v1 as networking

from components.contracts import Dns, Network
from components.kubernetes import names
from components.rakazo import ranges

HTTPS_PORT = 443
NAMESPACE_NAME = "kubernetes.io/metadata.name"


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What the edges have to know about the place they are in."""

    application: str
    """Namespace of Rakazo itself."""
    computers: str
    """Namespace of its computers."""
    network: Network
    dns: Dns
    last_display_port: int
    """Rakazo serves a computer's displays from port 6100 up and documents no end."""


def every_pod() -> meta.LabelSelectorArgs:
    """Select all pods: a computer's labels are Rakazo's business and known to nobody else."""
    return meta.LabelSelectorArgs()


def components(around: Surroundings, *wanted: str) -> meta.LabelSelectorArgs:
    """Select Rakazo's own pods of these components."""
    return meta.LabelSelectorArgs(
        match_labels={names.INSTANCE: around.application},
        match_expressions=[meta.LabelSelectorRequirementArgs(key=names.COMPONENT, operator="In", values=list(wanted))],
    )


def namespace(name: str) -> meta.LabelSelectorArgs:
    """Select a namespace by the label that Kubernetes itself writes."""
    return meta.LabelSelectorArgs(match_labels={NAMESPACE_NAME: name})


def resolver(around: Surroundings, labels: dict[str, str]) -> networking.NetworkPolicyPeerArgs:
    """Select pods of the cluster's DNS."""
    return networking.NetworkPolicyPeerArgs(
        namespace_selector=namespace(around.dns.namespace),
        pod_selector=meta.LabelSelectorArgs(match_labels=labels),
    )


def public_internet(network: Network) -> list[networking.NetworkPolicyPeerArgs]:
    """Select every public address in the families that the cluster's pods have."""
    return [
        networking.NetworkPolicyPeerArgs(
            ip_block=networking.IPBlockArgs(cidr=str(everywhere), except_=_denied(network, everywhere))
        )
        for everywhere in ranges.families(network.pods)
    ]


def kubernetes_api(network: Network) -> pulumi.Input[Sequence[pulumi.Input[networking.NetworkPolicyEgressRuleArgs]]]:
    """Return the rules to the API: to the Service's addresses, and to the servers' behind it."""
    if network.late_api_servers is None:
        return _api_rules(network)
    return network.complete().apply(_api_rules)


def _api_rules(network: Network) -> Sequence[pulumi.Input[networking.NetworkPolicyEgressRuleArgs]]:
    service = [block(address) for address in ranges.kubernetes_service(network)]
    servers = [ranges.split_endpoint(endpoint) for endpoint in network.api_servers]
    return [
        networking.NetworkPolicyEgressRuleArgs(to=service, ports=[tcp(HTTPS_PORT)]),
        *(
            networking.NetworkPolicyEgressRuleArgs(to=[block(address)], ports=[tcp(port)])
            for address, port in dict.fromkeys(servers)
        ),
    ]


def _denied(network: Network, within: ranges.AddressRange) -> pulumi.Input[Sequence[pulumi.Input[str]]]:
    if network.late_nodes is None and network.late_api_servers is None:
        return ranges.denied_ranges(network, within)
    return network.complete().apply(lambda known: ranges.denied_ranges(known, within))


def block(cidr: str) -> networking.NetworkPolicyPeerArgs:
    """Select the addresses of a range."""
    return networking.NetworkPolicyPeerArgs(ip_block=networking.IPBlockArgs(cidr=cidr))


def host_prefix(address: str) -> str:
    """Return the prefix length that makes a range of one address."""
    return "/128" if ":" in address else "/32"


def tcp(port: int) -> networking.NetworkPolicyPortArgs:
    """Select one TCP port, as the container has it."""
    return networking.NetworkPolicyPortArgs(protocol="TCP", port=port)
