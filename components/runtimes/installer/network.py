"""Whom the installer's pods may talk to."""

from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import urlsplit

import pulumi
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.networking import v1 as networking

from components.contracts import Dns, Network
from components.kubernetes import cilium
from components.kubernetes import names as kubernetes_names
from components.runtimes.installer import names

DNS_PORT = 53
HTTPS_PORT = 443
PORTS = {"http": 80, "https": HTTPS_PORT}


@dataclass(frozen=True, kw_only=True)
class InstallerNetworkArgs:
    """Inputs of :class:`InstallerNetwork`."""

    application_namespace: str
    network: Network
    dns: Dns
    mirror: str
    """The URL from which the installer fetches gVisor."""
    after: pulumi.Resource
    """The namespace."""


class InstallerNetwork(pulumi.ComponentResource):
    """Nobody reaches the installer, and it reaches its mirror's port, names and the Kubernetes API.

    A mirror is known by name and a policy knows addresses, so the port is open to all of them: what comes from there
    is checked against the checksum of the stack file.
    """

    def __init__(self, name: str, args: InstallerNetworkArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:InstallerNetwork", name, None, opts)
        self._args = args
        closed = self._policy(
            f"{name}-deny-all",
            "deny-all",
            networking.NetworkPolicySpecArgs(pod_selector=meta.LabelSelectorArgs(), policy_types=["Ingress", "Egress"]),
            [args.after],
        )
        mirror = urlsplit(args.mirror)
        port = mirror.port or PORTS[mirror.scheme]
        fetch = networking.NetworkPolicySpecArgs(
            pod_selector=meta.LabelSelectorArgs(
                match_labels=kubernetes_names.selector(args.application_namespace, names.INSTALLER)
            ),
            policy_types=["Egress"],
            egress=[
                networking.NetworkPolicyEgressRuleArgs(to=self._resolvers(), ports=_ports(DNS_PORT, "UDP", "TCP")),
                networking.NetworkPolicyEgressRuleArgs(
                    to=[_block(everywhere) for everywhere in _everywhere(args.network)], ports=_ports(port, "TCP")
                ),
            ],
        )
        api = args.network.complete().apply(_api_rules)
        self.objects: list[pulumi.Resource] = [
            closed,
            self._policy(f"{name}-mirror", "mirror", fetch, [args.after, closed]),
            self._policy(
                f"{name}-kubernetes-api",
                "kubernetes-api",
                networking.NetworkPolicySpecArgs(
                    pod_selector=meta.LabelSelectorArgs(), policy_types=["Egress"], egress=api
                ),
                [args.after, closed],
            ),
        ]
        if args.network.cilium:
            metadata = meta.ObjectMetaArgs(
                name="kubernetes-api-by-identity",
                namespace=names.namespace(args.application_namespace),
                labels=kubernetes_names.labels(args.application_namespace),
            )
            opts = pulumi.ResourceOptions(parent=self, depends_on=[args.after, closed])
            self.objects.append(
                cilium.policy(f"{name}-kubernetes-api-by-identity", metadata, cilium.to_kubernetes_api({}), opts)
            )
        self.register_outputs({})

    def _policy(
        self, name: str, object_name: str, spec: networking.NetworkPolicySpecArgs, after: list[pulumi.Resource]
    ) -> networking.NetworkPolicy:
        application = self._args.application_namespace
        return networking.NetworkPolicy(
            name,
            metadata=meta.ObjectMetaArgs(
                name=object_name,
                namespace=names.namespace(application),
                labels=kubernetes_names.labels(application),
            ),
            spec=spec,
            opts=pulumi.ResourceOptions(parent=self, depends_on=after),
        )

    def _resolvers(self) -> list[networking.NetworkPolicyPeerArgs]:
        dns = self._args.dns
        pods = networking.NetworkPolicyPeerArgs(
            namespace_selector=meta.LabelSelectorArgs(match_labels={"kubernetes.io/metadata.name": dns.namespace}),
            pod_selector=meta.LabelSelectorArgs(match_labels=dict(dns.pod_labels)),
        )
        return [pods, *(_block(str(ip_network(address))) for address in dns.addresses)]


def _api_rules(network: Network) -> list[networking.NetworkPolicyEgressRuleArgs]:
    """Return the way to the API: its Service's address, which is the first of each range, and what is behind it."""
    services = [ip_network(each) for each in network.services]
    first = [_block(str(ip_network(services_of.network_address + 1))) for services_of in services]
    rules = [networking.NetworkPolicyEgressRuleArgs(to=first, ports=_ports(HTTPS_PORT, "TCP"))]
    for endpoint in dict.fromkeys(network.api_servers):
        address, _, port = endpoint.rpartition(":")
        block = _block(str(ip_network(address.strip("[]"))))
        rules.append(networking.NetworkPolicyEgressRuleArgs(to=[block], ports=_ports(int(port), "TCP")))
    return rules


def _everywhere(network: Network) -> list[str]:
    versions = sorted({ip_network(each).version for each in network.pods})
    return ["0.0.0.0/0" if version == 4 else "::/0" for version in versions]  # noqa: PLR2004 - the IP version


def _block(cidr: str) -> networking.NetworkPolicyPeerArgs:
    return networking.NetworkPolicyPeerArgs(ip_block=networking.IPBlockArgs(cidr=cidr))


def _ports(port: int, *protocols: str) -> list[networking.NetworkPolicyPortArgs]:
    return [networking.NetworkPolicyPortArgs(protocol=protocol, port=port) for protocol in protocols]
