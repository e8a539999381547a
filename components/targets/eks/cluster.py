"""A cluster of EKS, from its network to its volumes."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as kubernetes

from components.contracts import Access, Cluster, Dns, Network, OwnNodes
from components.kubernetes.api_endpoints import api_endpoints
from components.targets.eks import addons
from components.targets.eks.addons import AddonArgs
from components.targets.eks.control_plane import ControlPlane, ControlPlaneArgs
from components.targets.eks.kubeconfig import render_kubeconfig
from components.targets.eks.names import cluster_name, tags
from components.targets.eks.nodes import Nodes, NodesArgs
from components.targets.eks.preflight import passed
from components.targets.eks.role import PODS, Role, RoleArgs
from components.targets.eks.security_groups import API_PORT, SecurityGroups, SecurityGroupsArgs
from components.targets.eks.storage import Disks, DisksArgs, Files, FilesArgs, contract
from components.targets.eks.vpc import Subnets, Vpc, VpcArgs
from stacks.kubernetes_version import parse_version
from stacks.matrix import Way, choose_way
from stacks.runtime import Runtime
from stacks.target import EksTarget
from stacks.target.eks_network import OwnNetwork

DRIVERS = {
    addons.BLOCK_STORAGE: ("disks", "ebs-csi-controller-sa", "service-role/AmazonEBSCSIDriverPolicy"),
    addons.FILES: ("files", "efs-csi-controller-sa", "service-role/AmazonEFSCSIDriverPolicy"),
}
"""Add-on of a storage driver to its name here, its service account, and AWS' policy for it."""


@dataclass(frozen=True, kw_only=True)
class EksClusterArgs:
    """Inputs of :class:`EksCluster`."""

    stack: str
    settings: EksTarget
    runtime: Runtime
    """What isolates computers: virtual machines need other nodes."""


class EksCluster(pulumi.ComponentResource):
    """A cluster that only its administrators enter, whose nodes nobody logs in to and no pod of another node reaches.

    What the nodes need is there before them and goes after them: the network's add-on, the routes, the roles.
    """

    cluster: Cluster

    def __init__(self, name: str, args: EksClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:EksCluster", name, None, opts)
        self._name, self._args, self._child = name, args, pulumi.ResourceOptions(parent=self)
        settings = args.settings
        virtual = nests(args.runtime)
        asked = passed(settings, self._at_aws("preflight", settings.region), nests=virtual)
        self._cloud = self._at_aws("aws", asked)
        subnets = self._subnets()
        groups = SecurityGroups(
            f"{name}-groups",
            SecurityGroupsArgs(stack=args.stack, vpc=subnets.vpc, files=settings.shared_files, provider=self._cloud),
            self._child,
        )
        plane = ControlPlane(
            name,
            ControlPlaneArgs(
                stack=args.stack,
                settings=settings,
                subnets=subnets.nodes,
                security_group=groups.api.id,
                provider=self._cloud,
            ),
            self._child,
        )
        self._cluster = plane.cluster
        pods = addons.network_settings(subnets.pods, groups.pods.id, settings.region)
        before = [
            self._addon(AddonArgs(addon=addons.NETWORK, cluster=self._cluster, provider=self._cloud, settings=pods)),
            self._addon(AddonArgs(addon=addons.PROXY, cluster=self._cluster, provider=self._cloud)),
            self._addon(AddonArgs(addon=addons.IDENTITIES, cluster=self._cluster, provider=self._cloud)),
        ]
        nodes = Nodes(
            f"{name}-nodes",
            NodesArgs(
                stack=args.stack,
                settings=settings,
                nests=virtual,
                cluster=self._cluster,
                subnets=subnets.nodes,
                security_group=groups.nodes.id,
                provider=self._cloud,
                # Whoever leaves a rule or a route out of the way would cut the nodes off while they leave.
                after=[*before, *subnets.ready, groups],
            ),
            self._child,
        )
        dns = self._addon(
            AddonArgs(addon=addons.DNS, cluster=self._cluster, provider=self._cloud, after=[nodes.system])
        )
        wanted = [addons.BLOCK_STORAGE, *([addons.FILES] if settings.shared_files else [])]
        drivers = {addon: self._driver(addon, [nodes.system]) for addon in wanted}
        context = cluster_name(args.stack)
        kubeconfig = self._kubeconfig(context)
        provider = kubernetes.Provider(
            f"{name}-kubernetes",
            kubeconfig=kubeconfig,
            context=context,
            # Never derived from the kubeconfig: another certificate is the same cluster.
            cluster_identifier=f"{settings.kind}:{args.stack}",
            # Drivers go last: a volume whose driver is gone stays at AWS.
            opts=pulumi.ResourceOptions(parent=self, depends_on=[*plane.entered, dns, *nodes.all, *drivers.values()]),
        )
        disks = Disks(
            f"{name}-disks",
            DisksArgs(
                protect=settings.protect,
                kubernetes=provider,
                after=[drivers[addons.BLOCK_STORAGE]],
            ),
            self._child,
        )
        files = self._files(subnets, groups, provider, drivers[addons.FILES]) if settings.shared_files else None
        self.cluster = Cluster(
            provider=provider,
            access=Access(kubeconfig=kubeconfig, context=context),
            kubernetes_version=parse_version(settings.kubernetes_version),
            network=Network(
                pods=tuple(settings.pod_ranges.values()),
                services=(settings.services,),
                nodes=tuple(settings.node_ranges.values()),
                # Its interfaces move within the subnets of the nodes.
                api_servers=tuple(f"{text}:{API_PORT}" for text in settings.node_ranges.values()),
                late_api_servers=api_endpoints(f"{name}-api", provider, parent=self),
            ),
            dns=Dns(),
            storage=contract(disks, files),
            # Which ones there are is the groups' to say.
            own_nodes=OwnNodes(distribution="k8s"),
        )
        self.register_outputs({})

    def _at_aws(self, role: str, region: pulumi.Input[str]) -> aws.Provider:
        settings = self._args.settings
        return aws.Provider(
            f"{self._name}-{role}",
            region=region,
            allowed_account_ids=[settings.account],
            default_tags=aws.ProviderDefaultTagsArgs(tags=tags(self._args.stack)),
            opts=self._child,
        )

    def _subnets(self) -> Subnets:
        settings, network = self._args.settings, self._args.settings.network
        if isinstance(network, OwnNetwork):
            return Vpc(
                f"{self._name}-vpc",
                VpcArgs(stack=self._args.stack, zones=settings.zones, network=network, provider=self._cloud),
                self._child,
            ).subnets
        return Subnets(
            vpc=network.vpc,
            nodes={zone: network.subnets[zone].nodes.id for zone in settings.zones},
            pods={zone: network.subnets[zone].pods.id for zone in settings.zones},
        )

    def _addon(self, args: AddonArgs) -> aws.eks.Addon:
        return addons.install(f"{self._name}-{args.addon}", args, self)

    def _driver(self, addon: str, after: Sequence[pulumi.Resource]) -> aws.eks.Addon:
        what, account, policy = DRIVERS[addon]
        role = Role(
            f"{self._name}-{what}-role",
            RoleArgs(stack=self._args.stack, what=what, service=PODS, policies=(policy,), provider=self._cloud),
            self._child,
        )
        return self._addon(
            AddonArgs(
                addon=addon,
                cluster=self._cluster,
                provider=self._cloud,
                after=[*after, *role.ready],
                # It asks nodes' metadata else, which no pod reaches.
                settings={"controller": {"region": self._args.settings.region}} if what == "disks" else None,
                identity=(account, role.role.arn),
            )
        )

    def _files(
        self, subnets: Subnets, groups: SecurityGroups, provider: kubernetes.Provider, driver: pulumi.Resource
    ) -> Files:
        if groups.files is None:
            raise ValueError("a file system without its security group")
        return Files(
            f"{self._name}-files",
            FilesArgs(
                stack=self._args.stack,
                protect=self._args.settings.protect,
                subnets=subnets.nodes,
                security_group=groups.files.id,
                provider=self._cloud,
                kubernetes=provider,
                after=[driver],
            ),
            self._child,
        )

    def _kubeconfig(self, context: str) -> pulumi.Output[str]:
        authority = self._cluster.certificate_authority.apply(lambda known: known.data)
        made = pulumi.Output.all(self._cluster.endpoint, authority)
        region = self._args.settings.region
        return pulumi.Output.secret(
            made.apply(
                lambda known: render_kubeconfig(
                    context=context, cluster=context, region=region, endpoint=known[0], authority=known[1]
                )
            )
        )


def nests(runtime: Runtime) -> bool:
    """Whether computers are virtual machines, which only some nodes can start."""
    return choose_way(runtime.kind, "eks") is Way.CHART
