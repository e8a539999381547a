"""A Linux machine that exists already and is to run Docker computers."""

from dataclasses import dataclass

import pulumi

from components.docker.machine import DockerMachine
from components.machines.login import Login, as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely
from stacks.secrets import Secrets
from stacks.target.docker_server import DockerServerTarget


@dataclass(frozen=True, kw_only=True)
class DockerServerArgs:
    """Inputs of :class:`DockerServer`."""

    settings: DockerServerTarget
    secrets: Secrets


class DockerServer(pulumi.ComponentResource):
    """The machine shows the host key that the settings name, and its user may become root; nothing is changed there."""

    machine: DockerMachine

    def __init__(self, name: str, args: DockerServerArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:DockerServer", name, None, opts)
        told, ssh = args.settings.machine, args.settings.ssh
        login = Login(
            host=told.address,
            host_key=told.host_key,
            user=ssh.user,
            port=ssh.port,
            private_key=args.secrets.ssh_private_key,
        )
        reached = run_remotely(
            f"{name}-reach",
            RemoteCommandArgs(login=login, create=as_root(login, "true")),
            pulumi.ResourceOptions(parent=self),
        )
        self.machine = DockerMachine(name=told.name, address=told.address, login=login, reached=reached, is_new=False)
        self.register_outputs({})
