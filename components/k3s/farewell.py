"""How a node leaves the cluster when its machine is taken out of the settings, or made anew."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.machines.file import LIBRARY
from components.machines.login import Login, as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely


@dataclass(frozen=True, kw_only=True)
class FarewellArgs:
    """Inputs of :class:`Farewell`."""

    node: str
    """Name of the node."""
    identity: pulumi.Input[str] | None
    """Of the node's machine."""
    keeper: Login
    """A server that stays."""
    gone_with: pulumi.Resource
    """When this goes too, the whole cluster does, and nobody has to leave it. Never a machine that may be made anew:
    nobody would leave while it is."""
    after: Sequence[pulumi.Resource]


class Farewell(pulumi.ComponentResource):
    """Before a machine goes, its pods are ended and, of a server, its vote in etcd is given back.

    Nothing happens while the node is wanted. A server without which the others could decide nothing stays.
    """

    def __init__(self, name: str, args: FarewellArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:Farewell", name, None, opts)
        run_remotely(
            name,
            RemoteCommandArgs(
                login=args.keeper,
                create="true",
                delete=as_root(args.keeper, f"{LIBRARY}/leave {args.node}"),
                identity=args.identity,
            ),
            pulumi.ResourceOptions(parent=self, depends_on=list(args.after), deleted_with=args.gone_with),
        )
        self.register_outputs({})
