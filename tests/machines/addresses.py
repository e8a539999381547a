"""Where everything of an estate is; the same in every estate, because nothing of it is reachable from elsewhere."""

from ipaddress import IPv4Address

OPERATOR = "192.175.48.1"
"""Who runs Pulumi and SSH, and the machines' default route."""
OUTSIDE = "192.175.48.2"
"""The next hop to everything that `local.outside` plays."""
MIRROR = "192.175.48.90"
OBJECT_STORE = "192.175.48.91"
REGISTRY = "192.175.48.92"
METADATA = "169.254.169.254"
PRIVATE_RANGE = "10.0.0.0/16"
PRIVATE_MTU = 1450
"""Bytes; what Hetzner's private networks carry."""
PUBLIC_NIC = "eth0"
PRIVATE_NIC = "enp7s0"
"""What the first private link of Hetzner's servers is called."""
HTTP_PORT = 80
HTTPS_PORT = 443
SSH_PORT = 22


def hardware_address(address: str) -> str:
    """Return a link's hardware address, which a machine keeps over reboots like its IPv4 address."""
    return ":".join(("02", "00", *(f"{byte:02x}" for byte in IPv4Address(address).packed)))
