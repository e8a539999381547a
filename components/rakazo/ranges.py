"""Addresses that are not the public internet, or that belong to the cluster itself."""

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from components.contracts import Network

AddressRange = IPv4Network | IPv6Network

EVERYWHERE: tuple[AddressRange, ...] = (IPv4Network("0.0.0.0/0"), IPv6Network("::/0"))

NOT_PUBLIC: tuple[AddressRange, ...] = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # "this host"
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; also Tailscale, some clouds' pods and metadata services
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's metadata and DNS service, the only one on a public address
        "169.254.0.0/16",  # link-local: the metadata services of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; Oracle's metadata service
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays: a way around IPv6 rules
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "::1/128",
        "64:ff9b::/96",  # NAT64: IPv4 addresses in IPv6 clothes
        "64:ff9b:1::/48",
        "100::/64",
        "2001:db8::/32",
        "2002::/16",  # 6to4
        # Unique local addresses, fd00:ec2::254 and its like, are fc00::/7. Written as halves, since kube-router 2.1.0
        # takes ::/0 for 2000::/3 and fd00::/8: of two ranges the narrower counts, and that /8 would be open.
        "fc00::/8",
        "fd00::/8",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)


def not_public() -> list[str]:
    """CIDR text of everything that is not the public internet, for where there is no cluster with ranges of its own."""
    return [str(blocked) for blocked in NOT_PUBLIC]


def denied_ranges(network: Network, within: AddressRange) -> list[str]:
    """CIDR text of everything below `within` that is not public or is the cluster's own.

    Each lies strictly inside `within`, as the API server demands of an `except`. ValueError when a range of
    the cluster is as large as `within`: then nothing at all would be public.
    """
    known = [blocked for blocked in NOT_PUBLIC if blocked.version == within.version]
    for own in cluster_ranges(network):
        if own.version != within.version or any(_covers(blocked, own) for blocked in known):
            continue
        if _covers(own, within):
            raise ValueError(
                f"the cluster's range {own} holds all of {within}, so no address would be public; "
                "write the ranges that its pods, services and nodes really have"
            )
        known.append(own)
    return [str(blocked) for blocked in known if _covers(within, blocked) and blocked != within]


def cluster_ranges(network: Network) -> Iterator[AddressRange]:
    """Every range that the cluster itself uses, API servers included."""
    for text in (*network.pods, *network.services, *network.nodes):
        yield ip_network(text)
    for endpoint in network.api_servers:
        address, _ = split_endpoint(endpoint)
        yield ip_network(address)


def split_endpoint(endpoint: str) -> tuple[str, int]:
    """CIDR and port of `10.0.0.7:6443`, `[fd00::7]:6443` or, where only their range is known, `10.0.0.0/24:443`."""
    host, _, port = endpoint.rpartition(":")
    return str(ip_network(host.removeprefix("[").removesuffix("]"))), int(port)


def families(ranges: tuple[str, ...]) -> list[AddressRange]:
    """`0.0.0.0/0`, `::/0` or both: everywhere that a pod with an address in `ranges` could connect to."""
    versions = {ip_network(text).version for text in ranges}
    return [everywhere for everywhere in EVERYWHERE if everywhere.version in versions]


def kubernetes_service(network: Network) -> list[str]:
    """Return the `kubernetes` Service as one-address CIDRs: always the first address of a service range."""
    first = [ip_network(text).network_address + 1 for text in network.services]
    return [f"{address}/{address.max_prefixlen}" for address in first]


def _covers(outer: AddressRange, inner: AddressRange) -> bool:
    if isinstance(outer, IPv4Network) and isinstance(inner, IPv4Network):
        return inner.subnet_of(outer)
    if isinstance(outer, IPv6Network) and isinstance(inner, IPv6Network):
        return inner.subnet_of(outer)
    return False
