"""Linux machines that exist already, made into a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.contracts import Access, Cluster, Dns, Network, OwnNodes, Storage
from components.k3s.bucket_secret import BucketSecret, BucketSecretArgs, restore_lines
from components.k3s.cluster import K3sCluster, K3sClusterArgs
from components.k3s.member import Machine, Member
from components.k3s.plan import API_PORT, Plan
from components.machines.login import Login
from probes.facts import Runtime
from stacks.kubernetes_version import parse_version
from stacks.secrets import Secrets
from stacks.target import ServerTarget
from stacks.target.machine import Machine as MachineSettings

STORAGE_CLASS = "local-path"
"""k3s' own: a folder on the node's disk."""


@dataclass(frozen=True, kw_only=True)
class ServerClusterArgs:
    """Inputs of :class:`ServerCluster`."""

    stack: str
    settings: ServerTarget
    runtime: Runtime
    """What computers are to run under: a machine has to be fit for it, and gets gVisor for that one only."""
    secrets: Secrets


class ServerCluster(pulumi.ComponentResource):
    """k3s with gVisor on the machines that the settings name, reached over SSH and by nobody who is not listed."""

    cluster: Cluster

    def __init__(self, name: str, args: ServerClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:ServerCluster", name, None, opts)
        settings = args.settings
        context = f"rakazo-{args.stack}"
        if args.secrets.cluster_token is None:
            raise ValueError("rakazo:cluster_token is missing; `load` refuses a stack without it")
        members = [_member(machine, settings, args.secrets) for machine in settings.machines]
        k3s = K3sCluster(
            name,
            K3sClusterArgs(
                members=members,
                plan=pulumi.Output.from_input(_plan(args, members)),
                token=args.secrets.cluster_token,
                restore_lines=restore_lines(settings.k3s.snapshots, args.secrets),
                context=context,
                kubeconfig_serial=settings.k3s.kubeconfig_serial,
                machines_exist=True,
            ),
            pulumi.ResourceOptions(parent=self),
        )
        provider = kubernetes.Provider(
            name,
            kubeconfig=k3s.kubeconfig,
            context=context,
            # Never derived from the kubeconfig: another certificate is the same cluster.
            cluster_identifier=f"{settings.kind}:{args.stack}",
            opts=pulumi.ResourceOptions(parent=self, depends_on=k3s.nodes),
        )
        if settings.k3s.snapshots is not None:
            BucketSecret(
                f"{name}-snapshots",
                BucketSecretArgs(stack=args.stack, settings=settings.k3s.snapshots, secrets=args.secrets),
                pulumi.ResourceOptions(parent=self, provider=provider),
            )
        self.cluster = Cluster(
            provider=provider,
            access=Access(kubeconfig=k3s.kubeconfig, context=context),
            kubernetes_version=parse_version(settings.kubernetes_version),
            network=_network(settings),
            dns=Dns(),
            storage=Storage(storage_class=STORAGE_CLASS, shared=False),
            begun_from=settings.k3s.begun_from,
            own_nodes=OwnNodes(
                distribution="k3s",
                computers=tuple(machine.name for machine in settings.machines if machine.pool != "system"),
            ),
        )
        self.register_outputs({})


def _member(machine: MachineSettings, settings: ServerTarget, secrets: Secrets) -> Member:
    login = Login(
        host=machine.address,
        host_key=machine.host_key,
        user=settings.ssh.user,
        port=settings.ssh.port,
        private_key=secrets.ssh_private_key,
    )
    return Member(
        key=machine.name,
        name=machine.name,
        role=machine.role,
        pool=machine.pool,
        address=machine.address,
        private_address=machine.private_address,
        make=lambda _: Machine(login=login),
    )


def _plan(args: ServerClusterArgs, members: Sequence[Member]) -> Plan:
    settings = args.settings
    return Plan(
        stack=args.stack,
        nodes=[member.node(machine.address) for member, machine in zip(members, settings.machines, strict=True)],
        ranges=settings.network,
        k3s=settings.k3s,
        gvisor=settings.gvisor if args.runtime == "gvisor" else None,
        needs_kvm=args.runtime == "kata",
        ssh_port=settings.ssh.port,
        admins=settings.admin_cidrs,
        awaits_cloud_init=False,
    )


def _network(settings: ServerTarget) -> Network:
    addresses = [address for machine in settings.machines for address in machine.addresses]
    return Network(
        pods=(settings.network.pods,),
        services=(settings.network.services,),
        nodes=tuple(f"{address}/32" for address in dict.fromkeys(addresses)),
        api_servers=tuple(f"{server.node_address}:{API_PORT}" for server in settings.servers),
        overlays=settings.network.overlays if len(settings.machines) > 1 else (),
    )
