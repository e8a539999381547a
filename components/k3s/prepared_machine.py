"""A machine that is ready to become a node, and not yet one."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.k3s.member import Machine
from components.machines.file import LIBRARY, File, digest, render_delivery, render_removal
from components.machines.login import as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely


@dataclass(frozen=True, kw_only=True)
class PreparedMachineArgs:
    """Inputs of :class:`PreparedMachine`."""

    stack: pulumi.Output[str]
    """Whose the machine is from then on."""
    node: str
    """What the machine is called."""
    machine: Machine
    files: pulumi.Output[Sequence[File]]
    after: Sequence[pulumi.Resource]
    """What has to be before anything is sent: it is the right machine, and its user may become root."""


class PreparedMachine(pulumi.ComponentResource):
    """It is the machine it should be, runs what k3s and gVisor need, and gives away nothing to pods and strangers.

    No secret has been sent to it.
    """

    ready: pulumi.Resource
    version: pulumi.Output[str]
    """Changes with any of its files, and so makes the steps after it look again."""
    delivered: pulumi.Resource
    """Whatever runs on the machine comes from here."""

    def __init__(self, name: str, args: PreparedMachineArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:PreparedMachine", name, None, opts)
        login = args.machine.login
        self.version = args.files.apply(digest)

        def run(
            step: str, create: pulumi.Input[str], *after: pulumi.Resource, delete: pulumi.Input[str] | None = None
        ) -> pulumi.Resource:
            return run_remotely(
                f"{name}-{step}",
                RemoteCommandArgs(login=login, create=create, delete=delete, identity=args.machine.identity),
                pulumi.ResourceOptions(parent=self, depends_on=list(after), deleted_with=args.machine.gone_with),
            )

        owner = args.stack.apply(lambda stack: f"k3s {stack}")
        deliver = pulumi.Output.all(args.files, owner).apply(
            lambda known: as_root(login, f"sh -c {shlex.quote(render_delivery(*known))}")
        )
        remove = owner.apply(lambda known: as_root(login, render_removal(known, args.node)))
        self.delivered = run(
            "deliver", deliver, *args.after, delete=None if args.machine.gone_with is not None else remove
        )
        # The session's own address tells whether the firewall would lock it out; sudo does not pass it on by itself.
        prepare = self.version.apply(lambda version: as_root(login, f"{LIBRARY}/prepare {version} $SSH_CONNECTION"))
        prepared = run("prepare", prepare, self.delivered)
        gvisor = self.version.apply(lambda version: as_root(login, f"{LIBRARY}/gvisor {version}"))
        installed = run("gvisor", gvisor, prepared)
        fetch = self.version.apply(lambda version: as_root(login, f"{LIBRARY}/fetch {version}"))
        self.ready = run("fetch", fetch, installed)
        self.register_outputs({})
