"""The network of a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_gcp as gcp

from components.targets.gke.adopted_network import look_up
from components.targets.gke.names import named
from stacks.target import GkeTarget
from stacks.target.gke_network import ExistingNetwork

PODS_RANGE, SERVICES_RANGE = "pods", "services"
LEAST_PORTS, MOST_PORTS = 512, 16384
"""Connections of one node to one destination at once. Cloud NAT's own 64 are used up by two open browsers."""


@dataclass(frozen=True, kw_only=True)
class VpcArgs:
    """Inputs of :class:`Vpc`."""

    stack: str
    settings: GkeTarget
    provider: gcp.Provider


class Vpc(pulumi.ComponentResource):
    """A network for nodes that nobody reaches from outside, and from which they reach what they need.

    Nothing in it answers the internet: there is no firewall rule that lets anything in, and no public address.
    """

    network: pulumi.Input[str]
    subnetwork: pulumi.Input[str]
    pods_range: str
    services_range: str
    control_plane: gcp.compute.Subnetwork
    way_out: Sequence[pulumi.Resource]
    """Without it a node pulls no image; empty: the network that was there has its own."""

    def __init__(self, name: str, args: VpcArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Vpc", name, None, opts)
        self._name, self._args = name, args
        self._child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        existing = args.settings.network.existing
        if existing is None:
            self.network, self.subnetwork = self._made()
            self.pods_range, self.services_range = PODS_RANGE, SERVICES_RANGE
        else:
            self.network, self.subnetwork = self._adopted(existing)
            self.pods_range, self.services_range = existing.pods_range, existing.services_range
        self.control_plane = gcp.compute.Subnetwork(
            f"{name}-control-plane",
            name=named(args.stack, "control-plane"),
            region=args.settings.region,
            network=self.network,
            ip_cidr_range=args.settings.network.control_plane,
            private_ip_google_access=True,
            opts=self._child,
        )
        self.way_out = [self._nat()] if existing is None or existing.nat else []
        self.register_outputs({})

    def _made(self) -> tuple[pulumi.Output[str], pulumi.Output[str]]:
        stack, ranges = self._args.stack, self._args.settings.network
        network = gcp.compute.Network(
            f"{self._name}-network",
            name=named(stack, "network"),
            auto_create_subnetworks=False,  # else it has one in every region, with ranges of Google's choice
            routing_mode="REGIONAL",
            opts=self._child,
        )
        part = gcp.compute.SubnetworkSecondaryIpRangeArgs
        subnetwork = gcp.compute.Subnetwork(
            f"{self._name}-nodes",
            name=named(stack, "nodes"),
            region=self._args.settings.region,
            network=network.id,
            ip_cidr_range=ranges.nodes,
            secondary_ip_ranges=[
                part(range_name=PODS_RANGE, ip_cidr_range=ranges.pods),
                part(range_name=SERVICES_RANGE, ip_cidr_range=ranges.services),
            ],
            private_ip_google_access=True,  # Google's own services without going through the NAT
            opts=self._child,
        )
        return network.id, subnetwork.id

    def _adopted(self, existing: ExistingNetwork) -> tuple[str, pulumi.Output[str]]:
        network = f"projects/{self._args.settings.project}/global/networks/{existing.network}"
        return network, look_up(self._args.settings, existing, self._args.provider)

    def _nat(self) -> gcp.compute.RouterNat:
        stack, region = self._args.stack, self._args.settings.region
        router = gcp.compute.Router(
            f"{self._name}-router",
            name=named(stack, "router"),
            region=region,
            network=self.network,
            opts=self._child,
        )
        return gcp.compute.RouterNat(
            f"{self._name}-nat",
            name=named(stack, "nat"),
            region=region,
            router=router.name,
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="LIST_OF_SUBNETWORKS",
            subnetworks=[
                gcp.compute.RouterNatSubnetworkArgs(
                    name=self.subnetwork,
                    source_ip_ranges_to_nats=["ALL_IP_RANGES"],  # pods keep their own addresses up to the NAT
                )
            ],
            enable_dynamic_port_allocation=True,
            enable_endpoint_independent_mapping=False,  # Google takes one of the two
            min_ports_per_vm=LEAST_PORTS,
            max_ports_per_vm=MOST_PORTS,
            log_config=gcp.compute.RouterNatLogConfigArgs(enable=True, filter="ERRORS_ONLY"),
            opts=self._child,
        )
