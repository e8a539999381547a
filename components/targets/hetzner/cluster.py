"""A cluster of rented servers."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud
import pulumi_kubernetes as kubernetes

from components.contracts import Access, Cluster, Dns, Network, Storage
from components.k3s.bucket_secret import BucketSecret, BucketSecretArgs, restore_lines
from components.k3s.cluster import K3sCluster, K3sClusterArgs
from components.k3s.member import Machine, MakeMachine, Member
from components.k3s.plan import API_PORT, Plan
from components.machines.login import Login
from components.targets.hetzner.availability import AvailabilityArgs, choose
from components.targets.hetzner.cloud_server import CloudServer, CloudServerArgs
from components.targets.hetzner.identity import Identity, IdentityArgs
from components.targets.hetzner.names import named
from components.targets.hetzner.surroundings import Surroundings, SurroundingsArgs
from probes.facts import Runtime
from stacks.kubernetes_version import parse_version
from stacks.secrets import Secrets
from stacks.ssh_key import public_key
from stacks.target import HetznerTarget
from stacks.target.rented_machine import RentedMachine

STORAGE_CLASS = "local-path"
"""k3s' own: a folder on the server's disk. Volumes of Hetzner would need its token inside the cluster."""
ATTEMPTS = 60
"""Connections to a new server that may fail: some five minutes, in which it starts."""


@dataclass(frozen=True, kw_only=True)
class HetznerClusterArgs:
    """Inputs of :class:`HetznerCluster`."""

    stack: str
    settings: HetznerTarget
    runtime: Runtime
    """What computers are to run under; only for gVisor something is installed."""
    secrets: Secrets


class HetznerCluster(pulumi.ComponentResource):
    """Servers, their addresses, network and firewall, with k3s and gVisor on them; nothing else is made at Hetzner.

    Whatever Kubernetes does, it has no token of the project: it can order nothing there and delete nothing.
    """

    cluster: Cluster

    def __init__(self, name: str, args: HetznerClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:HetznerCluster", name, None, opts)
        self._args, self._child = args, pulumi.ResourceOptions(parent=self)
        settings, secrets = args.settings, args.secrets
        if secrets.cluster_token is None or secrets.ssh_private_key is None or secrets.hcloud_token is None:
            raise ValueError("rakazo: a secret of this target is missing; `load` refuses a stack without it")
        context = named(args.stack, "cluster")
        self._cloud = hcloud.Provider(name, token=secrets.hcloud_token, opts=self._child)
        self._location = choose(AvailabilityArgs(stack=args.stack, settings=settings, provider=self._cloud))
        # What a private key's other half is, everybody may know.
        self._administrator = pulumi.Output.unsecret(secrets.ssh_private_key.apply(public_key))
        self._around = Surroundings(
            f"{name}-around",
            SurroundingsArgs(stack=args.stack, settings=settings, public_key=self._administrator, provider=self._cloud),
            self._child,
        )
        subnet = self._around.subnet
        if subnet is None:
            raise ValueError("a cluster without a private network; the settings refuse that")
        identities = {machine.key: self._identity(name, machine) for machine in settings.machines}
        members = [self._member(name, machine, identities[machine.key]) for machine in settings.machines]
        addresses = pulumi.Output.all(*(identity.address for identity in identities.values()))
        k3s = K3sCluster(
            name,
            K3sClusterArgs(
                members=members,
                plan=addresses.apply(lambda known: self._plan(members, known)),
                token=secrets.cluster_token,
                restore_lines=restore_lines(settings.k3s.snapshots, secrets),
                context=context,
                kubeconfig_serial=settings.k3s.kubeconfig_serial,
                machines_exist=False,
                gone_with=subnet,
                protected=settings.protect,
            ),
            self._child,
        )
        provider = kubernetes.Provider(
            f"{name}-kubernetes",
            kubeconfig=k3s.kubeconfig,
            context=context,
            # Never derived from the kubeconfig or a server: what is made anew one by one stays the same cluster.
            cluster_identifier=f"{settings.kind}:{args.stack}",
            opts=pulumi.ResourceOptions(parent=self, depends_on=k3s.nodes),
        )
        if settings.k3s.snapshots is not None:
            BucketSecret(
                f"{name}-snapshots",
                BucketSecretArgs(stack=args.stack, settings=settings.k3s.snapshots, secrets=secrets),
                pulumi.ResourceOptions(parent=self, provider=provider),
            )
        self.cluster = Cluster(
            provider=provider,
            access=Access(kubeconfig=k3s.kubeconfig, context=context),
            kubernetes_version=parse_version(settings.kubernetes_version),
            network=Network(
                pods=(settings.network.pods,),
                services=(settings.network.services,),
                nodes=tuple(f"{machine.private_address}/32" for machine in settings.machines),
                api_servers=tuple(
                    f"{machine.private_address}:{API_PORT}" for machine in settings.machines if machine.role == "server"
                ),
                overlays=settings.network.overlays if len(settings.machines) > 1 else (),
                late_nodes=addresses.apply(lambda known: tuple(f"{address}/32" for address in known)),
            ),
            dns=Dns(),
            storage=Storage(storage_class=STORAGE_CLASS, shared=False),
            begun_from=settings.k3s.begun_from,
        )
        self.register_outputs({})

    def _identity(self, name: str, machine: RentedMachine) -> Identity:
        return Identity(
            f"{name}-{machine.key}-identity",
            IdentityArgs(
                stack=self._args.stack,
                key=machine.key,
                location=self._location,
                protect=self._args.settings.protect,
                provider=self._cloud,
            ),
            self._child,
        )

    def _member(self, name: str, machine: RentedMachine, identity: Identity) -> Member:
        return Member(
            key=machine.key,
            name=named(self._args.stack, machine.key),
            role=machine.role,
            pool=machine.pool,
            address=identity.address,
            private_address=machine.private_address,
            make=self._maker(f"{name}-{machine.key}-server", machine, identity),
            hardware=machine.type,
        )

    def _maker(self, name: str, machine: RentedMachine, identity: Identity) -> MakeMachine:
        """Return how the machine is rented, once the servers before it are ready."""

        def make(after: Sequence[pulumi.Resource]) -> Machine:
            settings = self._args.settings
            server = CloudServer(
                name,
                CloudServerArgs(
                    stack=self._args.stack,
                    machine=machine,
                    identity=identity,
                    surroundings=self._around,
                    administrator=self._administrator,
                    location=self._location,
                    image=settings.image,
                    protect=settings.protect,
                    provider=self._cloud,
                    after=after,
                ),
                self._child,
            ).server
            login = Login(
                host=identity.address,
                host_key=identity.host_public_key,
                private_key=self._args.secrets.ssh_private_key,
                attempts=ATTEMPTS,
            )
            return Machine(login=login, identity=server.id, gone_with=server)

        return make

    def _plan(self, members: Sequence[Member], addresses: Sequence[str]) -> Plan:
        settings = self._args.settings
        return Plan(
            stack=self._args.stack,
            nodes=[member.node(address) for member, address in zip(members, addresses, strict=True)],
            ranges=settings.network,
            k3s=settings.k3s,
            gvisor=settings.gvisor if self._args.runtime == "gvisor" else None,
            ssh_port=22,
            admins=None,  # the cloud's firewall decides, and can be changed without logging in
            private=settings.private.range,
            awaits_cloud_init=True,
            never_begins=settings.machines[0].generation > 0,
        )
