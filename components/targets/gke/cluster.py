"""A cluster that Google runs."""

from dataclasses import dataclass

import pulumi
import pulumi_gcp as gcp
import pulumi_kubernetes as kubernetes

from components.contracts import Access, Cluster, Dns, Network, OwnNodes, Storage
from components.kubernetes.api_endpoints import api_endpoints
from components.targets.gke.control_plane import ControlPlaneArgs, make_control_plane
from components.targets.gke.kubeconfig import render_kubeconfig
from components.targets.gke.names import named
from components.targets.gke.node_account import NodeAccount, NodeAccountArgs
from components.targets.gke.pool import Isolation, PoolArgs, make_pool
from components.targets.gke.storage import DISKS, FILES, ClassArgs, make_disk_class, make_filestore_class
from components.targets.gke.versions import choose_version
from components.targets.gke.vpc import Vpc, VpcArgs
from stacks.kubernetes_version import parse_version
from stacks.runtime import POOL_TAINT, Runtime
from stacks.target import GkeTarget

CONTROL_PLANE_PORT = 443
RESOLVERS = {"node-local": ("169.254.20.10",), "cloud-dns": ("169.254.169.254", "169.254.20.10")}
"""Where pods ask for names: a cache on their node, or the machine's own metadata address, whose other ports stay shut.
The cache may stand in front of Cloud DNS too."""
POOL = "rakazo-infra/pool"
ISOLATIONS: dict[str, Isolation] = {"gvisor": "gvisor", "kata": "kata"}
"""Kind of runtime to what the computers' machines have to bring."""


@dataclass(frozen=True, kw_only=True)
class GkeClusterArgs:
    """Inputs of :class:`GkeCluster`."""

    stack: str
    settings: GkeTarget
    runtime: Runtime
    """What isolates computers decides what machines they get."""


class GkeCluster(pulumi.ComponentResource):
    """A network, an account with one role, a cluster and its two pools; Kubernetes orders disks beside them.

    No credential is in it: whoever runs the program is whoever Google knows on that machine.
    """

    cluster: Cluster

    def __init__(self, name: str, args: GkeClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:GkeCluster", name, None, opts)
        self._name, self._args, self._child = name, args, pulumi.ResourceOptions(parent=self)
        settings = args.settings
        # The project is said, so that the one of the operator's shell is never meant.
        self._cloud = gcp.Provider(name, project=settings.project, region=settings.region, opts=self._child)
        vpc = Vpc(f"{name}-vpc", VpcArgs(stack=args.stack, settings=settings, provider=self._cloud), self._child)
        self._account = NodeAccount(
            f"{name}-account",
            NodeAccountArgs(stack=args.stack, project=settings.project, provider=self._cloud),
            self._child,
        )
        self._control_plane = make_control_plane(
            name,
            ControlPlaneArgs(
                stack=args.stack,
                settings=settings,
                vpc=vpc,
                account=self._account,
                version=choose_version(settings, self._cloud),
                provider=self._cloud,
            ),
            self,
        )
        system = self._system(vpc)
        computers = self._computers(vpc, system)
        context = named(args.stack)
        kubeconfig: pulumi.Output[str] = pulumi.Output.secret(
            self._control_plane.control_plane_endpoints_config.dns_endpoint_config.endpoint.apply(
                lambda endpoint: render_kubeconfig(context, str(endpoint))
            )
        )
        provider = kubernetes.Provider(
            f"{name}-kubernetes",
            kubeconfig=kubeconfig,
            context=context,
            # Never derived from the kubeconfig: another name or certificate is the same cluster.
            cluster_identifier=f"{settings.kind}:{args.stack}",
            opts=pulumi.ResourceOptions(parent=self, depends_on=[system, computers]),
        )
        classes = ClassArgs(protect=settings.protect, provider=provider, parent=self)
        make_disk_class(f"{name}-disks", classes)
        if settings.shared_storage:
            make_filestore_class(f"{name}-filestore", vpc.network, classes)
        network = settings.network
        self.cluster = Cluster(
            provider=provider,
            access=Access(kubeconfig=kubeconfig, context=context),
            kubernetes_version=parse_version(settings.kubernetes_version),
            network=Network(
                pods=(network.pods,),
                services=(network.services,),
                nodes=(network.nodes,),
                api_servers=(f"{network.control_plane}:{CONTROL_PLANE_PORT}",),
                # Dataplane V2 is Cilium, but Google serves none of Cilium's own policies for a namespace, and its
                # control plane is no node: a block of addresses does match it.
                cilium=False,
                late_api_servers=api_endpoints(f"{name}-endpoints", provider, self),
            ),
            dns=Dns(addresses=RESOLVERS[settings.dns]),
            storage=Storage(
                storage_class=DISKS,
                shared=settings.shared_storage,
                shared_class=FILES if settings.shared_storage else None,
            ),
            # Which ones there are is the pools' to say.
            own_nodes=OwnNodes(distribution="k8s"),
        )
        self.register_outputs({})

    def _system(self, vpc: Vpc) -> gcp.container.NodePool:
        pool = self._args.settings.system
        return make_pool(
            f"{self._name}-system",
            PoolArgs(
                stack=self._args.stack,
                key="system",
                cluster=self._control_plane,
                account=self._account,
                machine_type=pool.machine_type,
                disk_gb=pool.disk_gb,
                fewest=pool.count,
                zones=self._args.settings.zones,
                node_labels={POOL: "system"},
                taints=(),
                provider=self._cloud,
                after=vpc.way_out,
            ),
            self,
        )

    def _computers(self, vpc: Vpc, system: gcp.container.NodePool) -> gcp.container.NodePool:
        """Declare the computers' pool, after the system's: GKE Sandbox demands that there is an ordinary one."""
        pool, isolation = self._args.settings.computers, ISOLATIONS.get(self._args.runtime.kind)
        # GKE Sandbox marks its nodes itself, and its class puts up with that mark alone.
        taints = () if isolation == "gvisor" else ((POOL_TAINT.key, POOL_TAINT.value),)
        return make_pool(
            f"{self._name}-computers",
            PoolArgs(
                stack=self._args.stack,
                key="computers",
                cluster=self._control_plane,
                account=self._account,
                machine_type=pool.machine_type,
                disk_gb=pool.disk_gb,
                fewest=pool.minimum,
                most=pool.maximum,
                zones=self._args.settings.zones,
                node_labels={POOL: "computers"},
                taints=taints,
                isolation=isolation,
                provider=self._cloud,
                after=[*vpc.way_out, system],
            ),
            self,
        )
