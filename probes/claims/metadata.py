"""Where clouds keep a machine's identity and user data: addresses that no computer and no service may reach."""

from dataclasses import dataclass

from probes.reach import DNS_QUERY, Destination

HTTP = 80


@dataclass(frozen=True, kw_only=True)
class MetadataService:
    """One address, and who answers there."""

    key: str
    """Ends a claim's id."""
    name: str
    address: str
    datagram: bytes = b""
    """What is asked over UDP port 53 beside HTTP; empty where nobody listens."""


# Addresses: facts/targets.md G.1, from each cloud's own documentation.
METADATA_SERVICES = (
    MetadataService(key="link-local", name="metadata service", address="169.254.169.254", datagram=DNS_QUERY),
    MetadataService(key="ecs-task", name="ECS task metadata", address="169.254.170.2"),
    MetadataService(key="eks-pod-identity", name="EKS Pod Identity", address="169.254.170.23"),
    MetadataService(key="azure", name="Azure wire server", address="168.63.129.16"),
    MetadataService(key="alibaba", name="Alibaba metadata service", address="100.100.100.200"),
    MetadataService(key="oracle", name="Oracle metadata service", address="192.0.0.192"),
    MetadataService(key="aws-ipv6", name="AWS metadata service", address="fd00:ec2::254"),
    MetadataService(key="eks-pod-identity-ipv6", name="EKS Pod Identity", address="fd00:ec2::23"),
    MetadataService(key="gce-ipv6", name="GCE metadata service", address="fd20:ce::254"),
)


def http(service: MetadataService) -> Destination:
    """Return the service's HTTP port."""
    return Destination(name=service.name, address=service.address, port=HTTP)
