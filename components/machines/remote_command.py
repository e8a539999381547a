"""One command on a machine."""

from dataclasses import dataclass

import pulumi
from pulumi_command import remote

from components.machines.login import Login, connect


@dataclass(frozen=True, kw_only=True)
class RemoteCommandArgs:
    """Inputs of :func:`run_remotely`."""

    login: Login
    create: pulumi.Input[str]
    """Run when the resource is new, and again whenever an input changes: it has to find out what is left to do.
    Short, since an error shows all of it, and never with a secret in it, since everybody on the machine sees it."""
    update: pulumi.Input[str] | None = None
    """Run in the place of `create` when the resource is there already and an input changes."""
    stdin: pulumi.Input[str] | None = None
    """The only way for a secret to the machine."""
    delete: pulumi.Input[str] | None = None
    identity: pulumi.Input[str] | None = None
    """Changes when the machine is another one: then the command is a new one too."""
    proof: pulumi.Input[str] | None = None
    """Changes when the isolation is proven anew: then the command is a new one, and what it did is undone before."""
    tells: bool = False
    """Whether its standard error is shown while it runs: for what takes minutes, and can know no secret."""


def run_remotely(name: str, args: RemoteCommandArgs, opts: pulumi.ResourceOptions) -> remote.Command:
    """Declare a command; what it prints is secret, and shown only in an error unless it `tells`."""
    return remote.Command(
        name,
        connection=connect(args.login),
        create=args.create,
        update=args.update,
        stdin=args.stdin,
        delete=args.delete,
        triggers=[each for each in (args.identity, args.proof) if each is not None] or None,
        # It would be put into the environment, which most SSH servers refuse, and it may be a kubeconfig.
        add_previous_output_in_env=False,
        logging=remote.Logging.STDERR if args.tells else remote.Logging.NONE,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(additional_secret_outputs=["stdout", "stderr"])),
    )
