"""What servers need before there is one: a network, a firewall, groups, and the key that logs in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud

from components.targets.hetzner.names import labels, named
from components.targets.hetzner.rules import allowed
from stacks.target import HetznerTarget
from stacks.target.docker_hetzner import DockerHetznerTarget


@dataclass(frozen=True, kw_only=True)
class SurroundingsArgs:
    """Inputs of :class:`Surroundings`."""

    stack: str
    settings: HetznerTarget | DockerHetznerTarget
    public_key: pulumi.Input[str]
    """Whoever has the other half logs in as root."""
    provider: hcloud.Provider


class Surroundings(pulumi.ComponentResource):
    """A firewall that lets in what the settings name, one placement group for ten servers, and a network of their own.

    A server that is alone shares a network with nobody, and gets none.
    """

    subnet: hcloud.NetworkSubnet | None
    firewall: hcloud.Firewall
    key: hcloud.SshKey
    groups: Mapping[str, hcloud.PlacementGroup]

    def __init__(self, name: str, args: SurroundingsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Surroundings", name, None, opts)
        settings, marks = args.settings, labels(args.stack)
        child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        self.subnet = None
        if isinstance(settings, HetznerTarget):
            network = hcloud.Network(
                f"{name}-network",
                name=named(args.stack, "network"),
                ip_range=settings.private.range,
                labels=marks,
                opts=child,
            )
            self.subnet = hcloud.NetworkSubnet(
                f"{name}-subnet",
                network_id=network.id.apply(int),
                type="cloud",
                network_zone=settings.zone,
                ip_range=settings.private.subnet,
                opts=child,
            )
        rules = allowed(
            settings.admin_cidrs, open_web=settings.open_web, kubernetes=isinstance(settings, HetznerTarget)
        )
        self.firewall = hcloud.Firewall(
            f"{name}-firewall",
            name=named(args.stack, "firewall"),
            rules=list(rules),
            labels=marks,
            opts=child,
        )
        self.key = hcloud.SshKey(
            f"{name}-key",
            name=named(args.stack, "administrator"),
            public_key=args.public_key,
            labels=marks,
            opts=child,
        )
        self.groups = {
            group: hcloud.PlacementGroup(
                f"{name}-{group}", name=named(args.stack, group), type="spread", labels=marks, opts=child
            )
            for group in groups_of(settings)
        }
        self.register_outputs({})


def groups_of(settings: HetznerTarget | DockerHetznerTarget) -> Sequence[str]:
    """Return the placement groups, each once; a group never changes when machines are added."""
    return list(dict.fromkeys(machine.group for machine in settings.machines))
