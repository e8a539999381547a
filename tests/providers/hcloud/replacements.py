"""Which inputs make a new resource, and which lists are sets; the SDK says neither.

Read in terraform-provider-hcloud v1.68.0: `ForceNew` and `TypeSet` of the types that are written for its older
framework, `RequiresReplace` and `SetAttribute` of the newer. The former are also `willReplaceOnChanges` of
pulumi-hcloud's schema.json, the latter are not in it. pulumi-hcloud 1.43.3 is built on a later version; all that its
SDK has besides, in these types, are `ipv4Id` and `ipv6Id` of a load balancer.
"""

from collections.abc import Mapping
from typing import Final

REPLACES: Final[Mapping[str, frozenset[str]]] = {
    # internal/network/resource.go
    "network": frozenset({"ipRange"}),
    # internal/network/resource_subnet.go: nothing of a subnet can be changed
    "subnet": frozenset({"ipRange", "networkId", "networkZone", "type", "vswitchId"}),
    # internal/firewall/resource.go
    "firewall": frozenset(),
    # internal/placementgroup/resource.go: a change of `type`, of which there is one, is silently not carried out
    "placement group": frozenset(),
    # internal/primaryip/resource.go
    "primary IP": frozenset({"type", "location"}),
    # internal/sshkey/resource.go
    "SSH key": frozenset({"publicKey"}),
    # internal/server/resource.go
    "server": frozenset({"image", "location", "userData", "sshKeys"}),
    # internal/server/resource_network.go
    "server network": frozenset({"serverId", "networkId", "subnetId", "ip"}),
    # internal/loadbalancer/resource.go; of the addresses nothing could be read, and replacing is the safer guess
    "load balancer": frozenset({"location", "networkZone", "ipv4Id", "ipv6Id"}),
    # internal/loadbalancer/resource_network.go
    "load balancer network": frozenset({"loadBalancerId", "networkId", "subnetId", "ip"}),
    # internal/loadbalancer/resource_service.go
    "load balancer service": frozenset({"loadBalancerId", "protocol", "listenPort"}),
    # internal/loadbalancer/resource_target.go
    "load balancer target": frozenset({"loadBalancerId", "serverId", "labelSelector", "ip"}),
    # internal/volume/resource.go
    "volume": frozenset({"location"}),
}

UNORDERED: Final[Mapping[str, frozenset[str]]] = {
    "firewall": frozenset({"rules", "rules[].sourceIps", "rules[].destinationIps", "applyTos"}),
    "server": frozenset({"networks", "networks[].aliasIps", "publicNets", "firewallIds"}),
    "server network": frozenset({"aliasIps"}),
    "load balancer": frozenset({"targets"}),
    "load balancer service": frozenset({"http.certificates"}),
}
