"""`gcp.compute.Network` and what is made in it: subnetworks, a router, a NAT."""

from collections.abc import Iterator
from ipaddress import IPv4Network

from tests.providers.gcp import refusals
from tests.providers.gcp.google_type import GoogleType
from tests.providers.values import Properties

CREATED = "2026-11-30T00:00:00.000-08:00"
_DELETED = {"deletionPolicy": "DELETE"}


class Network(GoogleType):
    """A network without subnetworks of its own accord."""

    token = "gcp:compute/network:Network"
    kind = "network"
    named = True
    users = ("subnetwork", "router")
    absent = frozenset(
        {"bgpAlwaysCompareMed", "bgpBestPathSelectionMode", "bgpInterRegionCost", "gatewayIpv4", "internalIpv6Range"}
    )

    def identify(self, inputs: Properties) -> str:
        """Return the path of the network."""
        return f"projects/{self.project.name}/global/networks/{inputs['name']}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Add numbers and links."""
        number = self.project.number()
        return {
            "mtu": 1460,
            "routingMode": "REGIONAL",
            **inputs,
            **_DELETED,
            "project": self.project.name,
            "networkId": str(number),
            "numericId": str(number),
            "selfLink": f"https://www.googleapis.com/compute/v1/{identifier}",
        }


class Subnetwork(GoogleType):
    """A range for nodes, with ranges for pods and Services beside it."""

    token = "gcp:compute/subnetwork:Subnetwork"
    kind = "subnetwork"
    named = True
    users = ("cluster", "NAT")
    absent = frozenset(
        {
            "allowSubnetCidrRoutesOverlap",
            "externalIpv6Prefix",
            "internalIpv6Prefix",
            "ipv6CidrRange",
            "ipv6GceEndpoint",
            "state",
        }
    )

    def identify(self, inputs: Properties) -> str:
        """Return the path of the subnetwork."""
        return f"projects/{self.project.name}/regions/{inputs['region']}/subnetworks/{inputs['name']}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Refuse ranges that something in the network has."""
        network = self.project.must("network", inputs["network"])["id"]
        own = list(ranges(inputs))
        for number, each in enumerate(own):
            if any(each.overlaps(other) for other in own[:number]):
                raise refusals.OWN_RANGES_CONFLICT.error(range=each)
        for other in self.project.all(self.kind).values():
            conflict = next((each for each in own if any(each.overlaps(there) for there in ranges(other))), None)
            if other["network"] == network and conflict is not None:
                raise refusals.RANGE_CONFLICTS.error(range=conflict, other=other["name"])
        return {
            "secondaryIpRanges": [],
            "privateIpGoogleAccess": False,
            **inputs,
            **_DELETED,
            "network": network,
            "project": self.project.name,
            "creationTimestamp": CREATED,
            "fingerprint": "b2YgaXQ=",
            "gatewayAddress": str(IPv4Network(inputs["ipCidrRange"]).network_address + 1),
            "privateIpv6GoogleAccess": "DISABLE_GOOGLE_ACCESS",
            "purpose": "PRIVATE",
            "selfLink": f"https://www.googleapis.com/compute/v1/{identifier}",
            "stackType": "IPV4_ONLY",
            "subnetworkId": self.project.number(),
        }

    def check_change(self, former: Properties, inputs: Properties) -> None:
        """Refuse to move a secondary range."""
        if former.get("secondaryIpRanges", []) != inputs.get("secondaryIpRanges", []):
            raise refusals.RANGE_CHANGES.error()


class Router(GoogleType):
    """Where a NAT is configured."""

    token = "gcp:compute/router:Router"
    kind = "router"
    named = True
    users = ("NAT",)

    def identify(self, inputs: Properties) -> str:
        """Return the path of the router."""
        return f"projects/{self.project.name}/regions/{inputs['region']}/routers/{inputs['name']}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Look for the network."""
        network = self.project.must("network", inputs["network"])["id"]
        link = f"https://www.googleapis.com/compute/v1/{identifier}"
        made = {"network": network, "project": self.project.name, "creationTimestamp": CREATED, "selfLink": link}
        return {**inputs, **_DELETED, **made}


class RouterNat(GoogleType):
    """The way out of machines without public addresses."""

    token = "gcp:compute/routerNat:RouterNat"
    kind = "NAT"
    named = True
    absent = frozenset({"autoNetworkTier", "drainNatIps", "endpointTypes", "natIps"})

    def identify(self, inputs: Properties) -> str:
        """Return the path of the NAT."""
        return f"{self.project.name}/{inputs['region']}/{inputs['router']}/{inputs['name']}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Look for the router, and for every subnetwork."""
        self.project.must("router", inputs["router"])
        for each in inputs.get("subnetworks", []):
            self.project.must("subnetwork", each["name"])
        defaults = {"enableDynamicPortAllocation": False, "enableEndpointIndependentMapping": False}
        return {**defaults, "minPortsPerVm": 64, **inputs, **_DELETED, "project": self.project.name}


def ranges(subnetwork: Properties) -> Iterator[IPv4Network]:
    """Yield every range of a subnetwork."""
    yield IPv4Network(subnetwork["ipCidrRange"])
    for each in subnetwork.get("secondaryIpRanges", []):
        yield IPv4Network(each["ipCidrRange"])
