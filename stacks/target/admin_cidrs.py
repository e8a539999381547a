"""Who may reach SSH and the Kubernetes API from outside."""

from ipaddress import ip_address, ip_network
from typing import Annotated

from pydantic import AfterValidator, Field

from stacks.address_range import WIDEST_NODES


def _checked_admin_range(text: str) -> str:
    """Return the range as CIDR text; one address becomes a range of one."""
    try:
        network = ip_network(text if "/" in text else f"{ip_address(text)}")
    except ValueError as error:
        raise ValueError('is not an address range; write it as "198.51.100.7/32" with no host bits') from error
    if network.prefixlen == 0:
        raise ValueError(
            "is everybody: SSH and the Kubernetes API would be open to the whole internet; write the addresses "
            "that you come from (curl -4 https://ifconfig.co shows yours), or [] for nobody"
        )
    widest = WIDEST_NODES[network.version]
    if network.prefixlen < widest:
        raise ValueError(
            f"is wider than /{widest}, the limit: two halves of the internet are all of it; write the addresses that "
            'you come from, such as "198.51.100.7/32"'
        )
    return str(network)


AdminRange = Annotated[str, AfterValidator(_checked_admin_range)]
AdminRanges = Annotated[tuple[AdminRange, ...], Field(min_length=0)]
"""Ranges; none at all is nobody, and never a reason to fall back to anything wider."""

NOBODY = (
    "settings.target.admin_cidrs is empty: nobody reaches SSH and the Kubernetes API from outside, this program "
    "included. Write the addresses that you come from before the next `pulumi up` that has to reach the machines."
)
"""What a preview says about an empty list."""
