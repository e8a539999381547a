"""How nodes leave that the settings do not name any more."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.k3s.member import Machine
from components.machines.file import LIBRARY
from components.machines.login import as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely


@dataclass(frozen=True, kw_only=True)
class DismissalArgs:
    """Inputs of :class:`Dismissal`."""

    server: Machine
    """A server that may hold the cluster already; a new one knows of nobody."""
    names: Sequence[str]
    """Every node that is to be."""
    protected: bool
    """Whether nobody may leave."""
    after: Sequence[pulumi.Resource]


class Dismissal(pulumi.ComponentResource):
    """Whoever is to leave has left before anything is changed for those who stay.

    The engine deletes last. Until then firewalls and policies without the node's addresses would already be in force,
    and its computers could reach it and nobody could reach them.
    """

    done: pulumi.Resource

    def __init__(self, name: str, args: DismissalArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:Dismissal", name, None, opts)
        login, script = args.server.login, f"{LIBRARY}/dismiss"
        words = " ".join(["protected" if args.protected else "free", *args.names])
        self.done = run_remotely(
            name,
            RemoteCommandArgs(
                login=login,
                # What the last run has delivered; a machine that is new has nothing.
                create=as_root(login, f"sh -c 'test ! -x {script} || exec {script} {words}'"),
                identity=args.server.identity,
                tells=True,
            ),
            pulumi.ResourceOptions(parent=self, depends_on=list(args.after), deleted_with=args.server.gone_with),
        )
        self.register_outputs({})
