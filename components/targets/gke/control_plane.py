"""The control plane of a cluster, and everything about the cluster that is no machine."""

from dataclasses import dataclass

import pulumi
import pulumi_gcp as gcp

from components.targets.gke.names import LONGEST_CLUSTER, labels, named
from components.targets.gke.node_account import SCOPES, NodeAccount
from components.targets.gke.vpc import Vpc
from stacks.target import GkeTarget

LIMITED_TO_THE_FIRST = ["nodeConfig", "initialNodeCount"]
"""What describes the pool that Google insists on and the provider takes away again; later it tells of another pool."""
FIRST_MACHINE = "e2-medium"


@dataclass(frozen=True, kw_only=True)
class ControlPlaneArgs:
    """Inputs of :func:`make_control_plane`."""

    stack: str
    settings: GkeTarget
    vpc: Vpc
    account: NodeAccount
    version: pulumi.Input[str]
    provider: gcp.Provider


def make_control_plane(name: str, args: ControlPlaneArgs, parent: pulumi.Resource) -> gcp.container.Cluster:
    """Declare a cluster without machines, in which policies are enforced and nobody is let in but by IAM."""
    settings, container = args.settings, gcp.container
    return container.Cluster(
        name,
        name=named(args.stack, longest=LONGEST_CLUSTER),
        location=settings.location,
        resource_labels=labels(args.stack),
        network=args.vpc.network,
        subnetwork=args.vpc.subnetwork,
        networking_mode="VPC_NATIVE",
        ip_allocation_policy=container.ClusterIpAllocationPolicyArgs(
            cluster_secondary_range_name=args.vpc.pods_range,
            services_secondary_range_name=args.vpc.services_range,
            stack_type="IPV4",
        ),
        datapath_provider="ADVANCED_DATAPATH",  # the default enforces no NetworkPolicy, and says so nowhere
        remove_default_node_pool=True,
        initial_node_count=1,
        node_config=_first_machine(args),
        min_master_version=args.version,
        release_channel=container.ClusterReleaseChannelArgs(channel=settings.release_channel),
        maintenance_policy=container.ClusterMaintenancePolicyArgs(
            daily_maintenance_window=container.ClusterMaintenancePolicyDailyMaintenanceWindowArgs(
                start_time=settings.maintenance_start
            )
        ),
        private_cluster_config=container.ClusterPrivateClusterConfigArgs(
            enable_private_nodes=True,
            enable_private_endpoint=not settings.admin_cidrs,
            private_endpoint_subnetwork=args.vpc.control_plane.id,
        ),
        control_plane_endpoints_config=container.ClusterControlPlaneEndpointsConfigArgs(
            dns_endpoint_config=container.ClusterControlPlaneEndpointsConfigDnsEndpointConfigArgs(
                allow_external_traffic=True,
                # IAM guards this way, and a certificate would go past it; no one has one that needs to.
                enable_k8s_certs_via_dns=False,
                # The proof acts as Rakazo does, with short-lived tokens of its ServiceAccount. Not said, they get 401.
                enable_k8s_tokens_via_dns=True,
            ),
        ),
        # Always there, also with nobody in it: without the block everybody may.
        master_authorized_networks_config=container.ClusterMasterAuthorizedNetworksConfigArgs(
            cidr_blocks=[
                container.ClusterMasterAuthorizedNetworksConfigCidrBlockArgs(
                    cidr_block=text, display_name="admin_cidrs"
                )
                for text in settings.admin_cidrs
            ],
            gcp_public_cidrs_access_enabled=False,
            private_endpoint_enforcement_enabled=True,
        ),
        workload_identity_config=container.ClusterWorkloadIdentityConfigArgs(
            workload_pool=f"{settings.project}.svc.id.goog"
        ),
        anonymous_authentication_config=container.ClusterAnonymousAuthenticationConfigArgs(mode="LIMITED"),
        rbac_binding_config=container.ClusterRbacBindingConfigArgs(
            enable_insecure_binding_system_authenticated=False,
            enable_insecure_binding_system_unauthenticated=False,
        ),
        enable_legacy_abac=False,
        enable_shielded_nodes=True,
        dns_config=_dns(settings),
        addons_config=container.ClusterAddonsConfigArgs(
            dns_cache_config=container.ClusterAddonsConfigDnsCacheConfigArgs(enabled=settings.dns == "node-local"),
            gce_persistent_disk_csi_driver_config=container.ClusterAddonsConfigGcePersistentDiskCsiDriverConfigArgs(
                enabled=True
            ),
            gcp_filestore_csi_driver_config=container.ClusterAddonsConfigGcpFilestoreCsiDriverConfigArgs(
                enabled=settings.shared_storage
            ),
        ),
        deletion_protection=settings.protect,
        opts=pulumi.ResourceOptions(
            parent=parent,
            provider=args.provider,
            protect=settings.protect,
            ignore_changes=LIMITED_TO_THE_FIRST,
            depends_on=args.vpc.way_out,
        ),
    )


def _first_machine(args: ControlPlaneArgs) -> gcp.container.ClusterNodeConfigArgs:
    """Return the machine that is there for some minutes; it too has no right but the account's one role."""
    return gcp.container.ClusterNodeConfigArgs(
        machine_type=FIRST_MACHINE,
        service_account=args.account.email,
        oauth_scopes=list(SCOPES),
        workload_metadata_config=gcp.container.ClusterNodeConfigWorkloadMetadataConfigArgs(mode="GKE_METADATA"),
        shielded_instance_config=gcp.container.ClusterNodeConfigShieldedInstanceConfigArgs(
            enable_secure_boot=True, enable_integrity_monitoring=True
        ),
    )


def _dns(settings: GkeTarget) -> gcp.container.ClusterDnsConfigArgs:
    if settings.dns == "cloud-dns":
        return gcp.container.ClusterDnsConfigArgs(cluster_dns="CLOUD_DNS", cluster_dns_scope="CLUSTER_SCOPE")
    return gcp.container.ClusterDnsConfigArgs(cluster_dns="KUBE_DNS")
