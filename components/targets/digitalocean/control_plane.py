"""The cluster itself, as DigitalOcean counts it: the API, and the one pool that it cannot be without."""

from dataclasses import dataclass

import pulumi
import pulumi_digitalocean as digitalocean

from components.targets.digitalocean.names import named, tags
from components.targets.digitalocean.version import Version
from stacks.target import DigitalOceanTarget

DEFAULT_SIZE = "s-1vcpu-2gb"
"""Of the pool that comes with a cluster: the smallest node there is, for DigitalOcean's own pods. Another size of it
would be another cluster, so it has no setting; everything of ours has pools beside it."""
NO_ADDRESS = "192.0.2.1/32"
"""Stands for nobody: an address of a range that exists in documents only. Said, because an empty list may be left out
on the way, and a firewall without a list might be read as one that is off."""


@dataclass(frozen=True, kw_only=True)
class ControlPlaneArgs:
    """Inputs of :class:`ControlPlane`."""

    stack: str
    settings: DigitalOceanTarget
    version: Version
    vpc_id: pulumi.Input[str]
    provider: digitalocean.Provider


class ControlPlane(pulumi.ComponentResource):
    """A cluster that no setting makes anew, but its region, its VPC and its ranges."""

    cluster: digitalocean.KubernetesCluster

    def __init__(self, name: str, args: ControlPlaneArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:ControlPlane", name, None, opts)
        settings = args.settings
        self.cluster = digitalocean.KubernetesCluster(
            name,
            name=named(args.stack, "cluster"),
            region=settings.region,
            version=args.version.slug,
            ha=settings.ha,
            auto_upgrade=settings.auto_upgrade,
            surge_upgrade=True,
            maintenance_policy=digitalocean.KubernetesClusterMaintenancePolicyArgs(
                day=settings.maintenance.day, start_time=settings.maintenance.start_time
            ),
            control_plane_firewall=digitalocean.KubernetesClusterControlPlaneFirewallArgs(
                enabled=True, allowed_addresses=list(settings.admin_cidrs) or [NO_ADDRESS]
            ),
            vpc_uuid=args.vpc_id,
            cluster_subnet=settings.network.pods,
            service_subnet=settings.network.services,
            node_pool=digitalocean.KubernetesClusterNodePoolArgs(name="default", size=DEFAULT_SIZE, node_count=1),
            destroy_all_associated_resources=settings.destroy_all_associated_resources,
            tags=tags(args.stack),
            opts=pulumi.ResourceOptions(
                parent=self,
                provider=args.provider,
                protect=settings.protect,
                # Whatever DigitalOcean does to them by itself, such as a patch in the night, is right.
                ignore_changes=["nodePool", *(["version"] if args.version.kept else [])],
            ),
        )
        self.register_outputs({})
