"""The cluster, its pools and its network."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_kubernetes as kubernetes

from components.contracts import Access, Cluster, Dns, Network, Storage
from components.kubernetes.api_endpoints import api_endpoints
from components.targets.digitalocean.control_plane import ControlPlane, ControlPlaneArgs
from components.targets.digitalocean.existing import credential_of
from components.targets.digitalocean.kubeconfig import choose_credential, render_kubeconfig
from components.targets.digitalocean.names import named
from components.targets.digitalocean.node_network import NodeNetwork, NodeNetworkArgs
from components.targets.digitalocean.node_pool import NodePool, NodePoolArgs
from components.targets.digitalocean.preflight import Answer, ask
from components.targets.digitalocean.shared_files import SharedFiles, SharedFilesArgs
from stacks.kubernetes_version import parse_version
from stacks.secrets import Secrets
from stacks.target import DigitalOceanTarget

STORAGE_CLASS = "do-block-storage-retain"
"""DigitalOcean's own. A volume outlives its claim: what becomes of it is decided when the cluster goes."""

UNOPENED = {"kubernetes.digitalocean.com/firewall-managed": "false"}
"""Else DigitalOcean opens every node port to the internet; with it, the VPC alone reaches the port."""


@dataclass(frozen=True, kw_only=True)
class DigitalOceanClusterArgs:
    """Inputs of :class:`DigitalOceanCluster`."""

    stack: str
    settings: DigitalOceanTarget
    secrets: Secrets


class DigitalOceanCluster(pulumi.ComponentResource):
    """A managed cluster whose pools can all be changed without making it anew."""

    cluster: Cluster

    def __init__(self, name: str, args: DigitalOceanClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:DigitalOceanCluster", name, None, opts)
        self._args, self._child = args, pulumi.ResourceOptions(parent=self)
        settings, context = args.settings, named(args.stack, "cluster")
        if args.secrets.digitalocean_token is None:
            raise ValueError("rakazo: a secret of this target is missing; `load` refuses a stack without it")
        self._cloud = digitalocean.Provider(name, token=args.secrets.digitalocean_token, opts=self._child)
        found = ask(context, settings, self._cloud)
        network = NodeNetwork(
            f"{name}-network", NodeNetworkArgs(stack=args.stack, settings=settings, provider=self._cloud), self._child
        )
        made = ControlPlane(
            f"{name}-control-plane",
            ControlPlaneArgs(
                stack=args.stack, settings=settings, version=found.version, vpc_id=network.id, provider=self._cloud
            ),
            self._child,
        ).cluster
        pools = self._pools(name, made)
        kubeconfig = _kubeconfig(context, made, found)
        provider = kubernetes.Provider(
            f"{name}-kubernetes",
            kubeconfig=kubeconfig,
            context=context,
            # Never derived from the kubeconfig: with a credential that was renewed it is the same cluster.
            cluster_identifier=f"{settings.kind}:{args.stack}",
            opts=pulumi.ResourceOptions(parent=self, depends_on=pools),
        )
        files = self._files(f"{name}-files", network, provider)
        self.cluster = Cluster(
            provider=provider,
            access=Access(kubeconfig=kubeconfig, context=context),
            kubernetes_version=parse_version(settings.kubernetes_version),
            network=Network(
                pods=(settings.network.pods,),
                services=(settings.network.services,),
                nodes=(settings.vpc.range,),
                api_servers=(),
                late_api_servers=api_endpoints(f"{name}-api", provider, self),
                cilium=True,
            ),
            dns=Dns(),
            storage=Storage(storage_class=STORAGE_CLASS, shared=files is not None, shared_class=files),
            node_port_annotations=UNOPENED,
        )
        self.register_outputs({})

    def _pools(self, name: str, cluster: digitalocean.KubernetesCluster) -> Sequence[pulumi.Resource]:
        system, computers = self._args.settings.system, self._args.settings.computers
        wanted = (
            ("system", system.size, system.count, system.count),
            ("computers", computers.size, computers.minimum, computers.maximum),
        )
        return [
            NodePool(
                f"{name}-{key}",
                NodePoolArgs(
                    stack=self._args.stack,
                    cluster=cluster,
                    key=key,
                    size=size,
                    minimum=minimum,
                    maximum=maximum,
                    provider=self._cloud,
                ),
                self._child,
            ).pool
            for key, size, minimum, maximum in wanted
        ]

    def _files(self, name: str, network: NodeNetwork, provider: kubernetes.Provider) -> str | None:
        """Declare the share when one is wanted, and return its class."""
        settings = self._args.settings
        if settings.nfs is None:
            return None
        return SharedFiles(
            name,
            SharedFilesArgs(
                stack=self._args.stack,
                settings=settings.nfs,
                region=settings.region,
                vpc_id=network.id,
                protect=settings.protect,
                cloud=self._cloud,
                cluster=provider,
            ),
            self._child,
        ).storage_class


def _kubeconfig(context: str, cluster: digitalocean.KubernetesCluster, found: Answer) -> pulumi.Output[str]:
    asked = found.existing.credential if found.existing else None
    rendered = cluster.kube_configs.apply(
        lambda kept: render_kubeconfig(context, choose_credential(credential_of(kept), asked, datetime.now(UTC)))
    )
    return pulumi.Output.secret(rendered)
