"""Address ranges and endpoints in the form that network policies take."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated

from pydantic import AfterValidator

DIALLED = tuple(IPv4Network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
"""RFC 1918: Rakazo's web opens screens nowhere else."""
WIDEST_NODES = {4: 8, 6: 32}
"""Shortest prefix of a node range by IP version: all of 10.0.0.0/8, or what one network operator has of IPv6."""


def _checked_range(text: str) -> str:
    try:
        ip_network(text)
    except ValueError as error:
        raise ValueError('is not an address range; write it as "10.42.0.0/16" with no host bits') from error
    if "/" not in text:
        raise ValueError('has no prefix length; one address is "10.0.0.7/32"')
    return text


def _checked_address(text: str) -> str:
    try:
        ip_address(text)
    except ValueError as error:
        raise ValueError('is not an address; write it as "10.43.0.10" without a prefix length') from error
    return text


def _checked_endpoint(text: str) -> str:
    host, _, port = text.rpartition(":")
    try:
        ip_address(host.removeprefix("[").removesuffix("]"))
        usable = port.isdecimal() and 1 <= int(port) <= 65535  # noqa: PLR2004 - the range of TCP ports
    except ValueError:
        usable = False
    if not usable:
        raise ValueError('is not an endpoint; write address and port, such as "10.0.0.7:6443"')
    return text


def is_dialled(text: str) -> bool:
    """Whether a range lies in RFC 1918 as a whole."""
    network = ip_network(text)
    return isinstance(network, IPv4Network) and any(network.subnet_of(dialled) for dialled in DIALLED)


def refused_pod_range(text: str) -> str | None:
    """Why screens would stay dark with pods in this range, or None."""
    if isinstance(ip_network(text), IPv6Network) or is_dialled(text):
        return None
    return (
        "lies outside 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16: Rakazo's web dials computers only there, "
        "so every screen would be refused; give the cluster a pod range inside RFC 1918"
    )


def refused_pod_ranges(texts: Iterable[str]) -> str | None:
    """Why screens would stay dark with these pod ranges together, or None."""
    if any(isinstance(ip_network(text), IPv4Network) for text in texts):
        return None
    return (
        "holds no IPv4 range: Rakazo's web dials computers only at IPv4 addresses of RFC 1918, so every screen would "
        'be refused. Clusters with IPv4 or both families are supported; write pods: ["10.42.0.0/16", …]'
    )


def refused_node_range(text: str) -> str | None:
    """Why a range cannot be the nodes', or None."""
    network = ip_network(text)
    widest = WIDEST_NODES[network.version]
    if network.prefixlen >= widest:
        return None
    return (
        f"is wider than /{widest}, the limit: probes come from nodes, so policies let whatever lies in it call web and "
        'api; write the ranges that nodes really have (kubectl get nodes -o wide), such as "10.0.0.0/24"'
    )


AddressRange = Annotated[str, AfterValidator(_checked_range)]
Address = Annotated[str, AfterValidator(_checked_address)]
Endpoint = Annotated[str, AfterValidator(_checked_endpoint)]
