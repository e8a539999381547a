"""A way in through a port of the machine's own loopback address."""

from dataclasses import dataclass

import pulumi

from components.docker.machine import DockerMachine
from components.machines.file import LIBRARY
from components.machines.login import as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely


@dataclass(frozen=True, kw_only=True)
class LoopbackArgs:
    """Inputs of :class:`Loopback`."""

    machine: DockerMachine
    command: str
    """What opens it."""
    proof: pulumi.Input[str]
    """Known once the isolation is proven, and another one when it is proven anew."""
    passed: pulumi.Resource


class Loopback(pulumi.ComponentResource):
    """A proxy on the machine reaches web, only while the isolation is proven.

    Containers with another isolation start without the port, and it stays closed until that one is proven; another
    Docker and other rules are there before it is closed. No TLS and no limits of its own.
    """

    def __init__(self, name: str, args: LoopbackArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:edge:Loopback", name, None, opts)
        login = args.machine.login
        run_remotely(
            f"{name}-web",
            RemoteCommandArgs(
                login=login,
                create=as_root(login, args.command),
                delete=as_root(login, f"sh -c 'test ! -x {LIBRARY}/close || exec {LIBRARY}/close'"),
                identity=args.machine.identity,
                proof=args.proof,
            ),
            pulumi.ResourceOptions(
                parent=self,
                depends_on=[args.passed],
                delete_before_replace=True,
                deleted_with=args.machine.gone_with,
            ),
        )
        self.register_outputs({})
