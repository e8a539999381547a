"""What stays of a machine when another server takes its place."""

from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud
import pulumi_tls as tls

from components.targets.hetzner.names import labels, named


@dataclass(frozen=True, kw_only=True)
class IdentityArgs:
    """Inputs of :class:`Identity`."""

    stack: str
    key: str
    location: pulumi.Input[str]
    protect: bool
    provider: hcloud.Provider


class Identity(pulumi.ComponentResource):
    """A public address and a host key: the same ones for every server that takes this machine's place."""

    address: pulumi.Output[str]
    address_id: pulumi.Output[int]
    host_public_key: pulumi.Output[str]
    host_private_key: pulumi.Output[str]

    def __init__(self, name: str, args: IdentityArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Identity", name, None, opts)
        address = hcloud.PrimaryIp(
            f"{name}-address",
            name=named(args.stack, args.key),
            type="ipv4",
            location=args.location,
            assignee_type="server",
            auto_delete=False,
            delete_protection=args.protect,
            labels=labels(args.stack),
            opts=pulumi.ResourceOptions(parent=self, provider=args.provider, ignore_changes=["location"]),
        )
        host_key = tls.PrivateKey(f"{name}-host-key", algorithm="ED25519", opts=pulumi.ResourceOptions(parent=self))
        self.address = address.ip_address
        self.address_id = address.id.apply(int)
        self.host_public_key = host_key.public_key_openssh.apply(str.strip)
        self.host_private_key = pulumi.Output.secret(host_key.private_key_openssh)
        self.register_outputs({})
