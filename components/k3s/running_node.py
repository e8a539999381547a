"""A node of the cluster."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.k3s.member import Machine, Member
from components.k3s.prepared_machine import PreparedMachine
from components.machines.file import LIBRARY
from components.machines.login import Login, as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely


@dataclass(frozen=True, kw_only=True)
class RunningNodeArgs:
    """Inputs of :class:`RunningNode`."""

    member: Member
    machine: Machine
    prepared: PreparedMachine
    tokens: pulumi.Output[str]
    """What it joins with, a line per token; secret."""
    server: Login
    """A server that is asked about the node: the node itself, or one that runs already."""
    after: Sequence[pulumi.Resource]
    """The nodes before it."""


class RunningNode(pulumi.ComponentResource):
    """k3s runs on the machine as the stack says, and the cluster finds the node ready.

    Before k3s becomes another minor release, the node's pods go to other nodes.
    """

    ready: pulumi.Resource

    def __init__(self, name: str, args: RunningNodeArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:RunningNode", name, None, opts)
        login, member, version = args.machine.login, args.member, args.prepared.version

        def options(*after: pulumi.Resource) -> pulumi.ResourceOptions:
            return pulumi.ResourceOptions(parent=self, depends_on=list(after), deleted_with=args.machine.gone_with)

        vacated = run_remotely(
            f"{name}-vacate",
            RemoteCommandArgs(
                login=args.server,
                create=version.apply(lambda text: as_root(args.server, f"{LIBRARY}/vacate {text} {member.name}")),
                identity=args.machine.identity,
                tells=True,
            ),
            options(args.prepared.ready, *args.after),
        )
        started = run_remotely(
            f"{name}-k3s",
            RemoteCommandArgs(
                login=login,
                create=version.apply(lambda text: as_root(login, f"{LIBRARY}/k3s {text}")),
                update=version.apply(lambda text: as_root(login, f"{LIBRARY}/k3s {text} again")),
                stdin=args.tokens,
                identity=args.machine.identity,
            ),
            options(vacated),
        )
        self.ready = run_remotely(
            f"{name}-settle",
            RemoteCommandArgs(
                login=args.server,
                create=version.apply(
                    lambda text: as_root(args.server, f"{LIBRARY}/settle {text} {member.name} {member.pool}")
                ),
                identity=args.machine.identity,
            ),
            options(started),
        )
        self.register_outputs({})
