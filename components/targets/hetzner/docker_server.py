"""One rented server that is to run Docker computers."""

from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud

from components.docker.machine import DockerMachine
from components.machines.login import Login, as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely
from components.targets.hetzner.availability import AvailabilityArgs, choose
from components.targets.hetzner.cloud_server import CloudServer, CloudServerArgs
from components.targets.hetzner.identity import Identity, IdentityArgs
from components.targets.hetzner.names import named
from components.targets.hetzner.surroundings import Surroundings, SurroundingsArgs
from stacks.docker_computers import DockerComputers
from stacks.secrets import Secrets
from stacks.ssh_key import public_key
from stacks.target.docker_hetzner import DockerHetznerTarget

ATTEMPTS = 60
"""Connections to a new server that may fail: some five minutes, in which it starts."""


@dataclass(frozen=True, kw_only=True)
class RentedDockerServerArgs:
    """Inputs of :class:`RentedDockerServer`."""

    stack: str
    settings: DockerHetznerTarget
    computers: DockerComputers
    """What a preview compares with the server's memory."""
    secrets: Secrets


class RentedDockerServer(pulumi.ComponentResource):
    """A server with an address and a host key of its own, behind a firewall that lets in SSH from whom it names.

    No token of the project reaches it: whoever takes it over can order nothing and delete nothing.
    """

    machine: DockerMachine

    def __init__(self, name: str, args: RentedDockerServerArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:RentedDockerServer", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        settings, secrets = args.settings, args.secrets
        if secrets.ssh_private_key is None or secrets.hcloud_token is None:
            raise ValueError("rakazo: a secret of this target is missing; `load` refuses a stack without it")
        (rented,) = settings.machines
        cloud = hcloud.Provider(name, token=secrets.hcloud_token, opts=child)
        location = choose(AvailabilityArgs(stack=args.stack, settings=settings, provider=cloud))
        _tell_room(args, cloud)
        # What a private key's other half is, everybody may know.
        administrator = pulumi.Output.unsecret(secrets.ssh_private_key.apply(public_key))
        around = Surroundings(
            f"{name}-around",
            SurroundingsArgs(stack=args.stack, settings=settings, public_key=administrator, provider=cloud),
            child,
        )
        identity = Identity(
            f"{name}-{rented.key}-identity",
            IdentityArgs(stack=args.stack, key=rented.key, location=location, protect=settings.protect, provider=cloud),
            child,
        )
        server = CloudServer(
            f"{name}-{rented.key}-server",
            CloudServerArgs(
                stack=args.stack,
                machine=rented,
                identity=identity,
                surroundings=around,
                administrator=administrator,
                location=location,
                image=settings.image,
                protect=settings.protect,
                provider=cloud,
                after=[],
            ),
            child,
        ).server
        login = Login(
            host=identity.address,
            host_key=identity.host_public_key,
            private_key=secrets.ssh_private_key,
            attempts=ATTEMPTS,
        )
        reached = run_remotely(
            f"{name}-reach",
            RemoteCommandArgs(login=login, create=as_root(login, "true"), identity=server.id),
            pulumi.ResourceOptions(parent=self, deleted_with=server),
        )
        self.machine = DockerMachine(
            name=named(args.stack, rented.key),
            address=identity.address,
            login=login,
            identity=server.id,
            gone_with=server,
            reached=reached,
            is_new=True,
        )
        self.register_outputs({})


def _tell_room(args: RentedDockerServerArgs, cloud: hcloud.Provider) -> None:
    """Say in every preview how many computers fit the server, as Hetzner knows it; fail where not even one would."""
    wanted = args.settings.server.type
    asked = hcloud.get_server_type_output(name=wanted, opts=pulumi.InvokeOutputOptions(provider=cloud))

    def tell(found: hcloud.GetServerTypeResult) -> None:
        if found.cores < args.computers.cores:
            raise pulumi.RunError(
                f"{wanted} has {found.cores} cores, and Docker refuses computers.cpu: {args.computers.cpu} there. "
                "Write a smaller computers.cpu, or another server.type"
            )
        told, enough = args.computers.fit(found.memory, wanted)
        (pulumi.log.info if enough else pulumi.log.warn)(told)

    asked.apply(tell)
