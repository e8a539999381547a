"""The network of the nodes, made or found."""

from dataclasses import dataclass

import pulumi
import pulumi_digitalocean as digitalocean

from components.targets.digitalocean.names import named
from stacks.target import DigitalOceanTarget

MEMBERS_GONE = "20m"
"""How long the provider asks again while DigitalOcean still counts a cluster that is gone among a VPC's members, which
it does for minutes. The provider's own two are over before."""


@dataclass(frozen=True, kw_only=True)
class NodeNetworkArgs:
    """Inputs of :class:`NodeNetwork`."""

    stack: str
    settings: DigitalOceanTarget
    provider: digitalocean.Provider


class NodeNetwork(pulumi.ComponentResource):
    """A VPC of the stack's own, or one that exists: that one is neither changed nor ever removed."""

    id: pulumi.Output[str]

    def __init__(self, name: str, args: NodeNetworkArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:NodeNetwork", name, None, opts)
        settings = args.settings
        if settings.vpc.id is not None:
            self.id = pulumi.Output.from_input(settings.vpc.id)
        else:
            made = digitalocean.Vpc(
                name,
                name=named(args.stack, "network"),
                region=settings.region,
                ip_range=settings.vpc.range,
                description=f"Nodes of the stack {args.stack}",
                opts=pulumi.ResourceOptions(
                    parent=self,
                    provider=args.provider,
                    protect=settings.protect,
                    custom_timeouts=pulumi.CustomTimeouts(delete=MEMBERS_GONE),
                ),
            )
            self.id = made.id
        self.register_outputs({})
