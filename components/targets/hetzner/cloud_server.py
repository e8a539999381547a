"""One rented server."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud

from components.targets.hetzner.identity import Identity
from components.targets.hetzner.names import labels, named
from components.targets.hetzner.surroundings import Surroundings
from components.targets.hetzner.user_data import UserDataArgs, render_user_data
from stacks.target.rented_machine import RentedMachine

KEPT = ["userData", "sshKeys", "image", "location", "placementGroupId"]
"""Inputs whose change Hetzner answers with another server. What a machine is told later comes over SSH."""


@dataclass(frozen=True, kw_only=True)
class CloudServerArgs:
    """Inputs of :class:`CloudServer`."""

    stack: str
    machine: RentedMachine
    identity: Identity
    surroundings: Surroundings
    administrator: pulumi.Output[str]
    """Public key of whoever logs in."""
    location: pulumi.Input[str]
    image: str
    protect: bool
    provider: hcloud.Provider
    after: Sequence[pulumi.Resource]


class CloudServer(pulumi.ComponentResource):
    """A server that nothing but its number under `rebuild` makes anew, and never two of them at once."""

    server: hcloud.Server

    def __init__(self, name: str, args: CloudServerArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:CloudServer", name, None, opts)
        machine, around = args.machine, args.surroundings
        host = named(args.stack, machine.key)

        def user_data(known: list[str]) -> str:
            private, public, administrator = known
            return render_user_data(
                UserDataArgs(
                    name=host,
                    private_address=machine.private_address,
                    host_private_key=private,
                    host_public_key=public,
                    administrator=administrator,
                )
            )

        identity = args.identity
        keys = pulumi.Output.all(identity.host_private_key, identity.host_public_key, args.administrator)
        self.server = hcloud.Server(
            name,
            name=host,
            server_type=machine.type,
            location=args.location,
            image=args.image,
            user_data=keys.apply(user_data),
            ssh_keys=[around.key.id],
            firewall_ids=[around.firewall.id.apply(int)],
            placement_group_id=around.groups[machine.group].id.apply(int),
            public_nets=[hcloud.ServerPublicNetArgs(ipv4_enabled=True, ipv4=identity.address_id, ipv6_enabled=False)],
            networks=_networks(around, machine),
            labels=labels(args.stack),
            keep_disk=True,  # a larger disk could never be made smaller again
            shutdown_before_deletion=True,
            delete_protection=args.protect,
            rebuild_protection=args.protect,  # Hetzner takes both or none
            opts=pulumi.ResourceOptions(
                parent=self,
                provider=args.provider,
                depends_on=list(args.after),
                ignore_changes=KEPT,
                # Its private address is taken until it is gone.
                delete_before_replace=True,
                replacement_trigger=machine.generation,
                protect=args.protect,
            ),
        )
        self.register_outputs({})


def _networks(around: Surroundings, machine: RentedMachine) -> list[hcloud.ServerNetworkArgs] | None:
    """Return the network that the server shares with others, where there is one.

    The subnet, not the network: else the server is attached before the subnet exists, or to another. No alias
    addresses, said: unsaid, they would be taken away and added again at every run.
    """
    if around.subnet is None:
        return None
    return [hcloud.ServerNetworkArgs(subnet_id=around.subnet.id, ip=machine.private_address, alias_ips=[])]
