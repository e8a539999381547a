"""What Hetzner refuses, in its own words where they are known, each row with where that was read.

`must not happen` rows are stricter than Hetzner: where the real provider waits for minutes, switches a server off by
itself or leaves servers open for a while, a test had better end at once and name the missing dependency.
"""

from dataclasses import dataclass
from typing import Any, Final

from tests.providers.refused import RefusedError

API = "docs.hetzner.cloud, reference, errors of the operation"
CODES = "hetznercloud/hcloud-go v2.47.0 hcloud/error.go"
PROVIDER = "hetznercloud/terraform-provider-hcloud v1.68.0"
STRICTER = "must not happen: stricter than Hetzner"


@dataclass(frozen=True)
class Refusal:
    """One refusal; the message may have placeholders."""

    code: str
    """Hetzner's error code; empty where the provider refuses before it asks the API."""
    message: str
    source: str

    def error(self, **values: Any) -> RefusedError:
        """Return the error as the provider words it: the message, and the code in parentheses."""
        text = self.message.format(**values)
        details = text.partition(": [")
        if self.code and details[1]:  # the provider puts details of invalid input after the code
            return RefusedError(f"{details[0]} ({self.code}): [{details[2]}")
        return RefusedError(f"{text} ({self.code})" if self.code else text)


UNKNOWN_SERVER_TYPE: Final = Refusal("", "server type {name} not found", f"{PROVIDER} server/resource.go")
UNKNOWN_IMAGE: Final = Refusal(
    "", "image {name} for architecture {architecture} not found", f"{PROVIDER} server/resource.go"
)
UNKNOWN_SSH_KEY: Final = Refusal("", "SSH key not found: {name}", f"{PROVIDER} server/resource.go")
UNKNOWN_PLACEMENT_GROUP: Final = Refusal("", "placement group not found: {id}", f"{PROVIDER} server/resource.go")
UNKNOWN_LOCATION: Final = Refusal(
    "invalid_input", "location '{name}' not found", "hetznercloud/terraform-provider-hcloud#493"
)
RETIRED_SERVER_TYPE: Final = Refusal(
    "",
    'Server Type "{name}" is unavailable in "{location}" and can no longer be ordered',
    "hetznercloud/hcloud-go v2.47.0 exp/deprecationutil/server_type.go",
)
NOT_OFFERED_THERE: Final = Refusal(
    "invalid_input", "unsupported location for server type", "autobase-tech/autobase#1403, roots/trellis-cli#622"
)
OUT_OF_STOCK: Final = Refusal(
    "resource_unavailable", "error during placement", "pulumi/pulumi-hcloud#104, terraform-provider-hcloud#531"
)
GROUP_FULL: Final = Refusal(
    "placement_group_member_limit_reached",
    "placement group with ID {id} contains already {limit} servers",
    "hetznercloud/terraform-provider-hcloud#1170",
)
USER_DATA_TOO_LONG: Final = Refusal(
    "invalid_input",
    "invalid input in field 'user_data': [user_data => [Length must be between 0 and {limit}.]]",
    "pellepelster/solidblocks#10; the limit also in pulumi-hcloud 1.43.3's Server.user_data",
)
NO_HOST_NAME: Final = Refusal(
    "invalid_input", "invalid input in field 'name': [name => [must be a valid hostname]]", f"{API}: create a server"
)
LIMIT_EXCEEDED: Final = Refusal(
    "resource_limit_exceeded",
    "{kind} limit exceeded",
    "mysticaltech/terraform-hcloud-kube-hetzner#760, hetzneronline/community-content#933",
)
NAME_USED: Final = Refusal(
    "uniqueness_error", "{kind} is already used", "mysticaltech/terraform-hcloud-kube-hetzner#388, gardener-hcloud#10"
)
FINGERPRINT_USED: Final = Refusal(
    "uniqueness_error",
    "SSH key with the same fingerprint already exists",
    "mysticaltech/terraform-hcloud-kube-hetzner#388",
)
INVALID_SELECTOR: Final = Refusal("invalid_input", "invalid label selector", f"{API}: label selector")
INVALID_PUBLIC_KEY: Final = Refusal("invalid_input", "SSH key is not valid", f"{API}: create an SSH key")
PROTECTED: Final = Refusal(
    "protected", "{kind} deletion is protected", "hetznercloud/terraform-provider-hcloud#1206, #1014"
)
PROTECTIONS_DIFFER: Final = Refusal(
    "", "must be the same as deleteProtection", "pulumi-hcloud 1.43.3, Server.rebuild_protection"
)
NOT_FOUND: Final = Refusal("not_found", "{kind} with ID '{id}' not found", CODES)

ADDRESS_ASSIGNED: Final = Refusal(
    "primary_ip_assigned", "The specified Primary IP is already assigned to a server", CODES
)
ADDRESS_ELSEWHERE: Final = Refusal(
    "primary_ip_datacenter_mismatch", "The specified Primary IP is in a different datacenter", CODES
)
ADDRESS_OTHER_VERSION: Final = Refusal(
    "primary_ip_version_mismatch", "The specified Primary IP has the wrong IP Version", CODES
)
ADDRESS_STILL_ASSIGNED: Final = Refusal(
    "must_be_unassigned",
    "Primary IP must be unassigned before it can be deleted",
    f"{API}: delete a primary IP, since 1 May 2026. {STRICTER}: {PROVIDER} primaryip/resource.go switches the server "
    "off, unassigns, and switches it on again",
)
NO_ADDRESS_LEFT: Final = Refusal("resource_unavailable", "no Primary IP available", CODES)
SERVER_RUNS: Final = Refusal("server_not_stopped", "The server is running, but needs to be powered off", CODES)
RUNS_IN_GROUP: Final = Refusal(
    "",
    "removing a running server from a placement group is currently not supported in the provider",
    f"{PROVIDER} server/resource.go setPlacementGroup",
)

PRIVATE_ADDRESS_TAKEN: Final = Refusal("ip_not_available", "IP not available", "siderolabs/contrib#57")
NO_SUBNET: Final = Refusal(
    "no_subnet_available",
    "no subnet or IP available",
    f"mysticaltech/terraform-hcloud-kube-hetzner#32 for the text, {CODES} for today's code",
)
SUBNET_IN_USE: Final = Refusal(
    "service_error",
    "cannot remove subnet because servers are attached to it",
    "hetznercloud/terraform-provider-hcloud#388. "
    f"{STRICTER}: {PROVIDER} network/resource_subnet.go repeats it 50 times and then drops the subnet from the state",
)
NETWORK_IN_USE: Final = Refusal(
    "resource_in_use",
    "network still has subnets or attached resources",
    f"{STRICTER}: {API}: delete a network detaches",
)
RANGE_OUTSIDE: Final = Refusal(
    "invalid_input", "ip_range of subnet is not inside the network's", f"{API}: add a subnet"
)
RANGE_OVERLAPS: Final = Refusal("invalid_input", "ip_range overlaps with an existing subnet", f"{API}: add a subnet")
FIREWALL_IN_USE: Final = Refusal(
    "resource_in_use",
    "firewall with ID '{id}' is still in use",
    f"{CODES}. {STRICTER}: {PROVIDER} firewall/resource.go detaches it, which leaves the servers open",
)
GROUP_IN_USE: Final = Refusal(
    "resource_in_use", "placement group still contains servers", f"{STRICTER}: {API}: delete a placement group"
)

BALANCER_HAS_NETWORK: Final = Refusal(
    "load_balancer_already_attached", "The Load Balancer is already attached to a network", CODES
)
BALANCER_LACKS_NETWORK: Final = Refusal(
    "load_balancer_not_attached_to_network", "The Load Balancer is not attached to a network", CODES
)
TARGET_LACKS_NETWORK: Final = Refusal(
    "server_not_attached_to_network", "The server is not attached to the Load Balancer's network", CODES
)
TARGET_LACKS_ADDRESS: Final = Refusal("missing_ipv4", "The server does not have a public IPv4 address", CODES)
PORT_USED: Final = Refusal("source_port_already_used", "The source port is already in use", CODES)
UNKNOWN_BALANCER_TYPE: Final = Refusal("invalid_input", "load balancer type '{name}' not found", CODES)
PORTS_MISSING: Final = Refusal(
    "invalid_input", "listen_port and destination_port are required for protocol tcp", f"{API}: add a service"
)
VOLUME_SHRINKS: Final = Refusal("invalid_input", "the size of a volume can only grow", f"{API}: resize a volume")
